# %% setup
import torch


# %% correct="meta"
def expose_10():
    return "meta"


# %% correct="a device"
def expose_10():
    return torch.device("meta")


# %% correct="a GPU"
def expose_10():
    return "cuda"


# %% correct="one of several GPUs"
def expose_10():
    return torch.device("cuda:1")


# %% correct="whichever another there is"
def expose_10():
    return "cuda" if torch.cuda.is_available() else "meta"


# %% mistake="bug-not-exposed: at home"
def expose_10():
    return "cpu"


# %% mistake="bug-not-exposed: at home, as a device"
def expose_10():
    return torch.device("cpu")


# %% mistake="wrong-type: no device of this name"
def expose_10():
    return "gpu"


# %% mistake="wrong-type: what is left behind"
def expose_10():
    return "mask"


# %% mistake="wrong-type: a tensor"
def expose_10():
    return torch.randn(3, 2)


# %% mistake="wrong-type: a dtype"
def expose_10():
    return torch.float64


# %% mistake="wrong-type: a forgotten return"
def expose_10():
    device = "meta"


# %% mistake="not-implemented"
def expose_10():
    raise NotImplementedError("Write your answer here, then delete this line.")
