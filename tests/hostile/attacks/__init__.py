"""What a submission may try, as data: one file a class of attacks, each attack an entry of its table."""

from tests.hostile.attacks import (
    a_forgery,
    b_theft,
    c_lying_objects,
    d_files_and_imports,
    e_other_tenants,
    f_data_formats,
    g_exhaustion,
)
from tests.hostile.attacks.attack import Attack

TABLES = {
    "a": a_forgery.ATTACKS,
    "b": b_theft.ATTACKS,
    "c": c_lying_objects.ATTACKS,
    "d": d_files_and_imports.ATTACKS,
    "e": e_other_tenants.ATTACKS,
    "f": f_data_formats.ATTACKS,
    "g": g_exhaustion.ATTACKS,
}
ALL: dict[str, Attack] = {
    f"{letter}-{attack.name}": attack for letter, table in TABLES.items() for attack in table
}
assert len(ALL) == sum(map(len, TABLES.values())), "two attacks have the same name"
