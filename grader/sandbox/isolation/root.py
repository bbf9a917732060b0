"""A private root: a file system with nothing but what running a notebook needs.

No course, no submission, no gradebook, no /proc, no /home: what is not there can neither be read nor looked
up.
"""

import os
import site
import sys
import sysconfig
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from grader.files import MIB
from grader.sandbox.isolation import system

# Where a job's files are: its working folder, its home, its temporary files.
WRITABLE = "/sandbox"
# Bytes and files that the fork server may write there; a job does not see them.
OWN_ROOM = (16 * MIB, 1000)
SHARED = (
    *(
        "/lib",
        "/lib64",
        "/usr/lib",
        "/usr/lib64",
        "/usr/local/lib",
        "/usr/share/zoneinfo",
        "/usr/share/fonts",
    ),
    *("/etc/localtime", "/etc/ld.so.cache"),
)
DEVICE_FILES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")
# Inside the package, but not for learners' code: an installed package holds the references.
HIDDEN = ("reference_outputs",)
PACKAGE = Path(__file__).resolve().parents[2]
# What a `.pth` file may bring in of another environment: a folder of installed packages, and nothing else.
PACKAGES_FOLDERS = ("site-packages", "dist-packages")
MS_BIND, MS_REC, MS_PRIVATE = 4096, 16384, 1 << 18
MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC = 1, 2, 4, 8
MNT_DETACH = 2
# Under which the new root is put together; every Linux has it.
BUILDING_PLACE = "/tmp"
OLD = "/.old"


@dataclass(frozen=True)
class VisiblePath:
    """A file or folder that the private root shows, and an open handle on it."""

    path: str
    descriptor: int
    device: bool

    @property
    def handle(self) -> str:
        """A path to it that stays valid whatever is mounted over it."""
        return f"/proc/self/fd/{self.descriptor}"


def readable() -> list[str]:
    """Return what a learner's code may read: Python, its libraries, fonts, time zones."""
    paths = sysconfig.get_paths()
    asked = [paths[name] for name in ("stdlib", "platstdlib", "purelib", "platlib")]
    asked += [f"{sys.base_prefix}/lib", str(PACKAGE), *SHARED]
    if site.ENABLE_USER_SITE:
        asked.append(site.getusersitepackages())
    asked += [path for path in sys.path if Path(path).name in PACKAGES_FOLDERS]
    return _outermost(asked)


def _outermost(asked: list[str]) -> list[str]:
    """Return the paths that exist, by every name they have, without those inside another."""
    found = {name for path in asked if Path(path).exists() for name in (path, os.path.realpath(path))}
    return sorted(
        path
        for path in found
        if not any(path != other and Path(path).is_relative_to(other) for other in found)
    )


def open_places() -> list[VisiblePath]:
    """Open all that the private root will show."""
    places = [(path, False) for path in readable()]
    places += [(path, True) for path in DEVICE_FILES if Path(path).exists()]
    return [VisiblePath(path, os.open(path, os.O_PATH | os.O_CLOEXEC), device) for path, device in places]


def build(places: list[VisiblePath]) -> None:
    """Make the private root and enter it. Closes the places."""
    system.mount("none", "/", flags=MS_REC | MS_PRIVATE)
    new = BUILDING_PLACE
    system.mount("root", new, "tmpfs", MS_NOSUID | MS_NODEV, "size=1m,mode=755")
    for place in places:
        _show(place, new)
    for hidden in _hidden(places):
        system.mount(
            "hidden", f"{new}{hidden}", "tmpfs", MS_RDONLY | MS_NOSUID | MS_NODEV, "size=4k,mode=000"
        )
    Path(f"{new}{WRITABLE}").mkdir()
    if not Path(f"{new}{BUILDING_PLACE}").exists():
        Path(f"{new}{BUILDING_PLACE}").symlink_to(WRITABLE)
    Path(f"{new}{OLD}").mkdir()
    for place in places:
        os.close(place.descriptor)
    system.pivot_root(new, f"{new}{OLD}")
    os.chdir("/")
    system.unmount(OLD, MNT_DETACH)
    Path(OLD).rmdir()
    system.restrict_mount("/", system.MOUNT_ATTR_RDONLY, recursive=False)
    mount_writable(*OWN_ROOM)
    os.chdir("/")


def _show(place: VisiblePath, new: str) -> None:
    target = Path(f"{new}{place.path}")
    target.parent.mkdir(parents=True, exist_ok=True)
    if Path(place.handle).is_dir():
        target.mkdir()
    else:
        target.touch()
    system.mount(place.handle, str(target), flags=MS_BIND | MS_REC)
    attributes = system.MOUNT_ATTR_NOSUID | (0 if place.device else system.MOUNT_ATTR_NODEV)
    system.restrict_mount(str(target), attributes | system.MOUNT_ATTR_RDONLY)


def _hidden(places: list[VisiblePath]) -> Iterator[str]:
    """Yield what must not be seen of the places, by every name it has in them."""
    for place in places:
        for name in HIDDEN:
            for package in {str(PACKAGE), os.path.realpath(PACKAGE)}:
                inner = Path(package, name)
                if inner.is_relative_to(place.path) and inner.is_dir():
                    yield str(inner)


def mount_writable(size: int, count: int) -> None:
    """Give this process, in a mount namespace of its own, an empty folder to write in, and go there.

    Args:
        size: bytes of all its files.
        count: how many files and folders it may make.
    """
    options = f"size={size},nr_inodes={count + 1},mode=700"
    system.mount("sandbox", WRITABLE, "tmpfs", MS_NOSUID | MS_NODEV | MS_NOEXEC, options)
    os.chdir(WRITABLE)
