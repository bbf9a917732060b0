"""Grade a class on several machines, over Dask.

``grader grade --scheduler`` reads submissions and writes results (``client``). A Dask scheduler hands
batches (``messages``) to the workers. Each machine runs ``grader worker``: a process that Dask knows
(``relay``) and one that grades, with the machine's own copy of the course and its own sandbox (``foreman``).
"""
