# %% setup
import torch


# %% correct="divmod"
def wrapper_d_out(total_width, num_heads):
    width, rest = divmod(total_width, num_heads)
    if rest:
        raise ValueError("not a multiple")
    return width


# %% correct="textbook"
def wrapper_d_out(total_width, num_heads):
    if total_width % num_heads != 0:
        raise ValueError(f"{total_width} is not a multiple of {num_heads}")
    return total_width // num_heads


# %% correct="tried one after the other"
def wrapper_d_out(total_width, num_heads):
    for d_out in range(1, total_width + 1):
        if d_out * num_heads == total_width:
            return d_out
    raise ValueError("there is no such width")


# %% correct="divided and tested"
def wrapper_d_out(total_width, num_heads):
    d_out = int(total_width / num_heads)
    if d_out * num_heads == total_width:
        return d_out
    raise ValueError


# %% mistake="wrong-type: a float" edits="textbook"
# - return total_width // num_heads
# + return total_width / num_heads

# %% mistake="wrong-type: a tensor" edits="textbook"
# - return total_width // num_heads
# + return torch.tensor(total_width // num_heads)

# %% mistake="wrong-type: a text" edits="textbook"
# - return total_width // num_heads
# + return f"{total_width // num_heads}"

# %% mistake="wrong-type: nothing returned" edits="textbook"
# - return total_width // num_heads
# + print(total_width // num_heads)

# %% mistake="wrong-type: with the rest" edits="textbook"
# - return total_width // num_heads
# + return divmod(total_width, num_heads)

# %% mistake="wrong-exception: nothing is checked" edits="textbook"
# - if total_width % num_heads != 0:
# -     raise ValueError(f"{total_width} is not a multiple of {num_heads}")

# %% correct="an assertion" remark="assertion-raised" edits="textbook"
# - if total_width % num_heads != 0:
# -     raise ValueError(f"{total_width} is not a multiple of {num_heads}")
# + assert total_width % num_heads == 0

# %% mistake="wrong-exception: returned, not raised" edits="textbook"
# - if total_width % num_heads != 0:
# -     raise ValueError(f"{total_width} is not a multiple of {num_heads}")
# + if total_width % num_heads != 0:
# +     return ValueError("not a multiple")

# %% mistake="wrong-exception: another one" edits="textbook"
# - if total_width % num_heads != 0:
# -     raise ValueError(f"{total_width} is not a multiple of {num_heads}")
# + if total_width % num_heads != 0:
# +     raise TypeError(f"{total_width} is not a multiple of {num_heads}")

# %% mistake="wrong-exception: None instead" edits="textbook"
# - if total_width % num_heads != 0:
# -     raise ValueError(f"{total_width} is not a multiple of {num_heads}")
# + if total_width % num_heads != 0:
# +     return None

# %% mistake="wrong-exception: only when too narrow" edits="textbook"
# - if total_width % num_heads != 0:
# -     raise ValueError(f"{total_width} is not a multiple of {num_heads}")
# + if total_width < num_heads:
# +     raise ValueError(f"{total_width} is not a multiple of {num_heads}")

# %% mistake="wrong-exception: only when wide enough" edits="textbook"
# - if total_width % num_heads != 0:
# -     raise ValueError(f"{total_width} is not a multiple of {num_heads}")
# + if total_width > num_heads and total_width % num_heads != 0:
# +     raise ValueError(f"{total_width} is not a multiple of {num_heads}")

# %% mistake="raises: the other way around" edits="textbook"
# - if total_width % num_heads != 0:
# -     raise ValueError(f"{total_width} is not a multiple of {num_heads}")
# + if total_width % num_heads == 0:
# +     raise ValueError(f"{total_width} is not a multiple of {num_heads}")

# %% mistake="raises: arguments exchanged in the test" edits="textbook"
# - if total_width % num_heads != 0:
# -     raise ValueError(f"{total_width} is not a multiple of {num_heads}")
# + if num_heads % total_width != 0:
# +     raise ValueError(f"{total_width} is not a multiple of {num_heads}")

# %% mistake="width-multiplied" edits="textbook"
# - return total_width // num_heads
# + return total_width * num_heads

# %% mistake="example-only: minus" edits="textbook"
# - return total_width // num_heads
# + return total_width - num_heads

# %% mistake="example-only: half" edits="textbook"
# - return total_width // num_heads
# + return total_width // 2

# %% mistake="hard-coded" edits="textbook"
# - return total_width // num_heads
# + return 2

# %% mistake="example-only: the number of heads" edits="textbook"
# - return total_width // num_heads
# + return num_heads

# %% mistake="unrecognized: the rest" edits="textbook"
# - return total_width // num_heads
# + return total_width % num_heads

# %% mistake="unrecognized: the total" edits="textbook"
# - return total_width // num_heads
# + return total_width

# %% mistake="raises" edits="textbook"
# - return total_width // num_heads
# + return total_widht // num_heads

# %% mistake="raises: arguments in another order" edits="textbook"
# - def wrapper_d_out(total_width, num_heads):
# + def wrapper_d_out(num_heads, total_width):

# %% mistake="raises: other names" edits="textbook"
# - def wrapper_d_out(total_width, num_heads):
# + def wrapper_d_out(width, heads):
# - if total_width % num_heads != 0:
# + total_width, num_heads = width, heads
# + if total_width % num_heads != 0:

# %% mistake="not-implemented" edits="textbook"
# - return total_width // num_heads
# + raise NotImplementedError("Write your answer here, then delete this line.")

# %% mistake="not-defined" edits="textbook"
# - def wrapper_d_out(total_width, num_heads):
# + def d_out(total_width, num_heads):

# %% mistake="syntax-error" edits="textbook"
# - def wrapper_d_out(total_width, num_heads):
# + def wrapper_d_out(total_width, num_heads)

# %% mistake="too-slow" edits="textbook"
# - return total_width // num_heads
# + while total_width % num_heads == 0:
# +     pass


# %% mistake="unrecognized: times one over the number"
def wrapper_d_out(total_width, num_heads):
    if total_width % num_heads:
        raise ValueError("no equal heads")
    return int(total_width * (1 / num_heads))
