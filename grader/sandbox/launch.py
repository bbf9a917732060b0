"""How the warm process is started, and what is said to it: known to both sides."""

READY = b"ready"
# What a job's byte says: whether its code draws pictures of its own.
PLAIN, DRAWS = b"p", b"d"
SEED = 0
# All that it is given; nothing of the course, of a user or of a gradebook.
ENVIRONMENT = {
    "HOME": "/sandbox",
    "TMPDIR": "/sandbox",
    "IPYTHONDIR": "/sandbox/.ipython",
    "MPLCONFIGDIR": "/sandbox/.matplotlib",
    "MPLBACKEND": "module://matplotlib_inline.backend_inline",
    "LANG": "C.UTF-8",
    "PATH": "/usr/bin:/bin",
    "USER": "learner",
    "PYTHONHASHSEED": str(SEED),
    "PYTHONDONTWRITEBYTECODE": "1",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
}
