"""D: leave files for the next one to import, or write where others read."""

from tests.hostile.attacks.attack import RAN, V1, Attack

SAY = f"\nprint({RAN!r})\n"
WRITE = """
import os, pathlib, site, sys, sysconfig
def write(path, text="raise SystemExit('MARK')"):
    try:
        path = pathlib.Path(path)
        path.write_text(text)
    except OSError as error:
        print("REFUSED", path, type(error).__name__)
    else:
        print("REACHED", path)
"""

ATTACKS = (
    Attack(
        "shadow-modules",
        "modules of one's own in the working folder, for whoever imports next",
        """
import os, sys
for name in ("torch", "numpy", "grader", "sitecustomize", "usercustomize", "safetensors", "IPython", "json"):
    with open(name + ".py", "w") as file:
        file.write("raise SystemExit('MARK')")
os.makedirs("grader", exist_ok=True)
open("grader/__init__.py", "w").write("raise SystemExit('MARK')")
sys.path.insert(0, os.getcwd())
"""
        + SAY,
    ),
    Attack(
        "shadow-modules-reloaded",
        "the same, and what is loaded thrown away",
        """
import os, sys
open("statistics.py", "w").write("raise ImportError('MARK')")
sys.path.insert(0, os.getcwd())
for name in [name for name in sys.modules if name.startswith(("grader.checking.drivers", "safetensors"))]:
    del sys.modules[name]
"""
        + SAY,
    ),
    Attack(
        "site-packages",
        "files that Python reads at every start: .pth, sitecustomize",
        WRITE
        + """
for folder in {*site.getsitepackages(), site.getusersitepackages(), sysconfig.get_path("stdlib")}:
    write(folder + "/MARK.pth", "")
    write(folder + "/MARK.py", "")
"""
        + SAY,
        never=("REACHED /",),
        # Writing there is no control that is harmless.
    ),
    Attack(
        "grader-overwritten",
        "the grader's own files",
        WRITE
        + """
import grader, torch
for module in (grader, torch):
    folder = pathlib.Path(module.__file__).parent
    write(folder / "MARK.py", "")
    write("/proc/self/root" + str(folder) + "/MARK.py", "")
for path in ("PLACE/MARK.txt", "PLACE/reference_outputs/MARK.txt", "PLACE/solutions/MARK.txt"):
    write(path)
"""
        + SAY,
    ),
    Attack(
        "elsewhere",
        "files in the home folder, in temporary folders, beside the course",
        WRITE
        + """
for path in ("COURSE/MARK.txt", "COURSE/submitted/neighbor/MARK.txt", "/var/tmp/MARK.txt", "/dev/shm/MARK",
             "/run/MARK", "/root/MARK.txt", "/etc/MARK", "/MARK"):
    write(path)
"""
        + SAY,
        reaches=False,
    ),
    Attack(
        "course-written",
        "a file in another student's folder",
        WRITE + 'write("COURSE/submitted/neighbor/MARK-none.txt", "x")' + SAY,
        reaches=True,
    ),
    Attack(
        "temporary-files",
        "files in the temporary folder that the next job would find",
        """
import glob, os, tempfile
folders = {tempfile.gettempdir(), "/tmp", os.path.expanduser("~"), os.getcwd(), "/var/tmp", "/dev/shm"}
for folder in folders:
    if glob.glob(folder + "/left-behind*"):
        print("REACHED: of an earlier job", folder)
for folder in folders:
    try:
        open(folder + "/left-behind-MARK", "w").write("x")
    except OSError as error:
        print("REFUSED", type(error).__name__)
"""
        + SAY,
        exercise=V1,
    ),
    Attack(
        "links",
        "links out of the working folder, and device files",
        """
import os, stat
for target in ("/", "/etc", "/proc", "COURSE", "PLACE", "/dev"):
    try:
        os.symlink(target, "out-" + target.replace("/", "-"))
        print("REACHED" if os.listdir("out-" + target.replace("/", "-") + "/submitted") else "REFUSED")
    except OSError as error:
        print("REFUSED", target, type(error).__name__)
for number in (os.makedev(1, 1), os.makedev(8, 0), os.makedev(1, 2)):
    try:
        os.mknod("device", stat.S_IFBLK | 0o666, number)
        print("REACHED")
    except OSError as error:
        print("REFUSED", type(error).__name__)
"""
        + SAY,
    ),
    Attack(
        "deleted",
        "everything deleted that can be reached",
        """
import os, shutil
for folder in ("COURSE-none-such", "/sandbox"):
    shutil.rmtree(folder, ignore_errors=True)
try:
    os.rename("/sandbox", "/elsewhere")
    print("REACHED")
except OSError as error:
    print("REFUSED", type(error).__name__)
"""
        + SAY,
    ),
)
