# %% setup

# %% correct="mine"
def wrapper_d_out(total_width, num_heads):
    if total_width % num_heads != 0:
        raise ValueError("total_width must be a multiple of num_heads")
    return total_width // num_heads

# %% mistake="wrong-type: one stroke" edits="mine"
# - return total_width // num_heads
# + return total_width / num_heads

# %% mistake="wrong-exception: no check" edits="mine"
# - if total_width % num_heads != 0:
# -     raise ValueError("total_width must be a multiple of num_heads")

# %% mistake="wrong-exception: printed, not raised" edits="mine"
# - raise ValueError("total_width must be a multiple of num_heads")
# + print("total_width must be a multiple of num_heads")

# %% mistake="raises: the other way round" edits="mine"
# - if total_width % num_heads != 0:
# + if total_width % num_heads == 0:

# %% mistake="width-multiplied: times" edits="mine"
# - return total_width // num_heads
# + return total_width * num_heads

# %% mistake="unrecognized: the rest" edits="mine"
# - return total_width // num_heads
# + return total_width % num_heads

# %% mistake="raises: heads first" edits="mine"
# - def wrapper_d_out(total_width, num_heads):
# + def wrapper_d_out(num_heads, total_width):

# %% mistake="wrong-exception: a TypeError" edits="mine"
# - raise ValueError("total_width must be a multiple of num_heads")
# + raise TypeError("total_width must be a multiple of num_heads")

# %% mistake="wrong-exception: rounded" edits="mine"
# - if total_width % num_heads != 0:
# -     raise ValueError("total_width must be a multiple of num_heads")
# - return total_width // num_heads
# + return round(total_width / num_heads)

# %% mistake="wrong-type: printed" edits="mine"
# - return total_width // num_heads
# + print(total_width // num_heads)

# %% mistake="wrong-type: no check, one stroke" edits="mine"
# - if total_width % num_heads != 0:
# -     raise ValueError("total_width must be a multiple of num_heads")
# - return total_width // num_heads
# + return total_width / num_heads

# %% mistake="wrong-exception: returned, not raised" edits="mine"
# - raise ValueError("total_width must be a multiple of num_heads")
# + return ValueError("total_width must be a multiple of num_heads")

# %% mistake="wrong-exception: a text is raised" edits="mine"
# - raise ValueError("total_width must be a multiple of num_heads")
# + raise "no width"

# %% mistake="raises: the rest of the other division" edits="mine"
# - if total_width % num_heads != 0:
# + if num_heads % total_width != 0:


# %% mistake="raises: tried one after the other, up to the last but one" says="Your own line raises"
def wrapper_d_out(total_width, num_heads):
    for d_out in range(1, total_width):
        if d_out * num_heads == total_width:
            return d_out
    raise ValueError
