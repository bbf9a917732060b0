# %% setup
import torch
from torch import nn


# %% correct="textbook"
def parameter_count(d_in, d_out, qkv_bias=False):
    projections = 3 * d_in * d_out
    if qkv_bias:
        projections += 3 * d_out
    output = d_out * d_out + d_out
    return projections + output


# %% correct="in one line"
def parameter_count(d_in, d_out, qkv_bias=False):
    return 3 * (d_in + qkv_bias) * d_out + (d_out + 1) * d_out


# %% correct="layer by layer"
def parameter_count(d_in, d_out, qkv_bias=False):
    total = 0
    for width, bias in ((d_in, qkv_bias), (d_in, qkv_bias), (d_in, qkv_bias), (d_out, True)):
        total += width * d_out + (d_out if bias else 0)
    return total


# %% mistake="forbidden-call: counted on the meta device"
def parameter_count(d_in, d_out, qkv_bias=False):
    with torch.device("meta"):
        layers = nn.ModuleList(
            [nn.Linear(d_in, d_out, qkv_bias) for _ in range(3)] + [nn.Linear(d_out, d_out)]
        )
    return sum(parameter.numel() for parameter in layers.parameters())


# %% mistake="missing-out-proj" edits="textbook"
# - return projections + output
# + return projections

# %% mistake="missing-out-proj: only its bias" edits="textbook"
# - output = d_out * d_out + d_out
# + output = d_out

# %% mistake="bias-ignored" edits="textbook"
# - if qkv_bias:
# -     projections += 3 * d_out

# %% mistake="bias-ignored: in the output projection" edits="textbook"
# - output = d_out * d_out + d_out
# + output = d_out * d_out

# %% mistake="bias-ignored: in the output projection unless asked" edits="textbook"
# - output = d_out * d_out + d_out
# + output = d_out * d_out + (d_out if qkv_bias else 0)

# %% mistake="bias-ignored: nowhere a bias" edits="textbook"
# - if qkv_bias:
# -     projections += 3 * d_out
# + pass
# - output = d_out * d_out + d_out
# + output = d_out * d_out

# %% mistake="bias-ignored: a single number" edits="textbook"
# - projections += 3 * d_out
# + projections += 3

# %% mistake="bias-ignored: for one of three" edits="textbook"
# - projections += 3 * d_out
# + projections += d_out

# %% mistake="bias-unexpected" edits="textbook"
# - if qkv_bias:
# -     projections += 3 * d_out
# + projections += 3 * d_out

# %% mistake="bias-unexpected: only where none is asked for" edits="textbook"
# - if qkv_bias:
# + if not qkv_bias:

# %% mistake="widths-exchanged: a bias for each feature that comes in" edits="textbook"
# - projections += 3 * d_out
# + projections += 3 * d_in

# %% mistake="projections-miscounted" edits="textbook"
# - projections = 3 * d_in * d_out
# + projections = d_in * d_out

# %% mistake="widths-exchanged: the output projection takes d_in" edits="textbook"
# - output = d_out * d_out + d_out
# + output = d_in * d_out + d_out

# %% mistake="widths-exchanged: the output projection gives d_in" edits="textbook"
# - output = d_out * d_out + d_out
# + output = d_out * d_in + d_in

# %% mistake="widths-exchanged: everything d_in times d_out" edits="textbook"
# - return projections + output
# + return 4 * d_in * d_out + d_out + (3 * d_out if qkv_bias else 0)

# %% mistake="widths-exchanged: both times d_out" edits="textbook"
# - projections = 3 * d_in * d_out
# + projections = 3 * d_out * d_out

# %% mistake="widths-exchanged: both times d_in" edits="textbook"
# - projections = 3 * d_in * d_out
# + projections = 3 * d_in * d_in

# %% mistake="hard-coded" edits="textbook"
# - return projections + output
# + return 2360064

# %% mistake="widths-exchanged: bias of d_in in the output" edits="textbook"
# - output = d_out * d_out + d_out
# + output = d_out * d_out + d_in

# %% mistake="unrecognized: twelve heads" edits="textbook"
# - return projections + output
# + return 12 * (projections + output)

# %% mistake="unrecognized: the mask counted" edits="textbook"
# - return projections + output
# + return projections + output + d_in * d_in

# %% mistake="unrecognized: two output projections" edits="textbook"
# - return projections + output
# + return projections + 2 * output

# %% mistake="unrecognized: widths added" edits="textbook"
# - projections = 3 * d_in * d_out
# + projections = 3 * (d_in + d_out)

# %% mistake="wrong-type: a float" edits="textbook"
# - return projections + output
# + return (projections + output) / 1

# %% mistake="forbidden-call: a tensor" edits="textbook"
# - return projections + output
# + return torch.tensor(projections + output)

# %% mistake="wrong-type: a text" edits="textbook"
# - return projections + output
# + return f"{projections + output:,}"

# %% mistake="wrong-type: nothing returned" edits="textbook"
# - return projections + output
# + print(projections + output)

# %% mistake="wrong-type: a tuple" edits="textbook"
# - return projections + output
# + return projections, output

# %% mistake="raises" edits="textbook"
# - return projections + output
# + return projection + output

# %% mistake="raises: no qkv_bias" edits="textbook"
# - def parameter_count(d_in, d_out, qkv_bias=False):
# + def parameter_count(d_in, d_out):
# - if qkv_bias:
# + if False:

# %% mistake="raises: qkv_bias has to be given" edits="textbook"
# - def parameter_count(d_in, d_out, qkv_bias=False):
# + def parameter_count(d_in, d_out, qkv_bias):

# %% mistake="not-implemented" edits="textbook"
# - return projections + output
# + raise NotImplementedError("Write your answer here, then delete this line.")

# %% mistake="not-defined" edits="textbook"
# - def parameter_count(d_in, d_out, qkv_bias=False):
# + def count(d_in, d_out, qkv_bias=False):

# %% mistake="syntax-error" edits="textbook"
# - def parameter_count(d_in, d_out, qkv_bias=False):
# + def parameter_count(d_in, d_out, qkv_bias=False)

# %% mistake="too-slow" edits="textbook"
# - return projections + output
# + while True:
# +     output += 1


# %% correct="one step a line"
def parameter_count(d_in, d_out, qkv_bias=False):
    weights = 3 * d_in * d_out
    biases = 3 * d_out if qkv_bias else 0
    outer = d_out * d_out
    outer_bias = d_out
    return weights + biases + outer + outer_bias


# %% mistake="projections-miscounted: a step" edits="one step a line"
# - weights = 3 * d_in * d_out
# + weights = d_in * d_out

# %% mistake="bias-unexpected: a step" edits="one step a line"
# - biases = 3 * d_out if qkv_bias else 0
# + biases = 3 * d_out

# %% mistake="bias-ignored: a step, in the output projection" edits="one step a line"
# - outer_bias = d_out
# + outer_bias = 0

# %% mistake="bias-ignored: a step" edits="one step a line"
# - biases = 3 * d_out if qkv_bias else 0
# + biases = 0

# %% mistake="widths-exchanged: a step" edits="one step a line"
# - outer = d_out * d_out
# + outer = d_in * d_out

# %% mistake="widths-exchanged: a step, biases of d_in" edits="one step a line"
# - biases = 3 * d_out if qkv_bias else 0
# + biases = 3 * d_in if qkv_bias else 0

# %% mistake="projections-miscounted: two" edits="one step a line"
# - weights = 3 * d_in * d_out
# + weights = 2 * d_in * d_out

# %% mistake="projections-miscounted: one, with its bias" edits="one step a line"
# - weights = 3 * d_in * d_out
# - biases = 3 * d_out if qkv_bias else 0
# + weights = d_in * d_out
# + biases = d_out if qkv_bias else 0

# %% mistake="projections-miscounted: two, with their biases" edits="one step a line"
# - weights = 3 * d_in * d_out
# - biases = 3 * d_out if qkv_bias else 0
# + weights = 2 * d_in * d_out
# + biases = 2 * d_out if qkv_bias else 0

# %% mistake="bias-ignored: a step, for one of three" edits="one step a line"
# - biases = 3 * d_out if qkv_bias else 0
# + biases = d_out if qkv_bias else 0

# %% mistake="widths-exchanged: a step, the output and the biases" edits="one step a line"
# - biases = 3 * d_out if qkv_bias else 0
# - outer = d_out * d_out
# + biases = 3 * d_in if qkv_bias else 0
# + outer = d_in * d_out

# %% mistake="bias-ignored: of the output, and two of three" edits="textbook"
# - projections += 3 * d_out
# + projections += d_out
# - output = d_out * d_out + d_out
# + output = d_out * d_out
