# %% setup

# %% correct="mine"
def parameter_count(d_in, d_out, qkv_bias=False):
    qkv = 3 * d_in * d_out
    bias = 3 * d_out if qkv_bias else 0
    out = d_out * d_out
    out_bias = d_out
    return qkv + bias + out + out_bias

# %% mistake="missing-out-proj: forgotten" edits="mine"
# - return qkv + bias + out + out_bias
# + return qkv + bias

# %% mistake="bias-ignored: of the output" edits="mine"
# - return qkv + bias + out + out_bias
# + return qkv + bias + out

# %% mistake="bias-ignored: qkv_bias is not asked" edits="mine"
# - return qkv + bias + out + out_bias
# + return qkv + out + out_bias

# %% mistake="bias-ignored: one for all three" edits="mine"
# - bias = 3 * d_out if qkv_bias else 0
# + bias = d_out if qkv_bias else 0

# %% mistake="bias-unexpected: always" edits="mine"
# - bias = 3 * d_out if qkv_bias else 0
# + bias = 3 * d_out

# %% mistake="bias-unexpected: four layers, each with a bias" edits="mine"
# - bias = 3 * d_out if qkv_bias else 0
# + bias = 3 * d_out if not qkv_bias else 3 * d_out

# %% mistake="widths-exchanged: the output as the others" edits="mine"
# - out = d_out * d_out
# + out = d_in * d_out

# %% mistake="widths-exchanged: biases of d_in" says="how many numbers a bias has" edits="mine"
# - bias = 3 * d_out if qkv_bias else 0
# + bias = 3 * d_in if qkv_bias else 0

# %% mistake="projections-miscounted: one projection" edits="mine"
# - qkv = 3 * d_in * d_out
# + qkv = d_in * d_out

# %% mistake="unrecognized: widths added" edits="mine"
# - qkv = 3 * d_in * d_out
# + qkv = 3 * (d_in + d_out)

# %% mistake="wrong-type: a float" edits="mine"
# - return qkv + bias + out + out_bias
# + return float(qkv + bias + out + out_bias)

# %% mistake="missing-out-proj: and no bias of the three" also="bias-ignored" edits="mine"
# - return qkv + bias + out + out_bias
# + return qkv

# %% mistake="widths-exchanged: the output as the others, without a bias" also="bias-ignored" edits="mine"
# - out = d_out * d_out
# - out_bias = d_out
# + out = d_in * d_out
# + out_bias = 0

# %% mistake="hard-coded: the example" edits="mine"
# - return qkv + bias + out + out_bias
# + return 2360064

# %% mistake="projections-miscounted: one projection, its bias with it" edits="mine"
# - qkv = 3 * d_in * d_out
# - bias = 3 * d_out if qkv_bias else 0
# + qkv = d_in * d_out
# + bias = d_out if qkv_bias else 0

# %% mistake="widths-exchanged: four layers alike, biases of d_in" edits="mine"
# - bias = 3 * d_out if qkv_bias else 0
# - out = d_out * d_out
# + bias = 3 * d_in if qkv_bias else 0
# + out = d_in * d_out

# %% mistake="bias-ignored: of the output, and one for all three" edits="mine"
# - bias = 3 * d_out if qkv_bias else 0
# + bias = d_out if qkv_bias else 0
# - out_bias = d_out
# + out_bias = 0

# %% mistake="bias-ignored: the output's bias only where one is asked for" edits="mine"
# - bias = 3 * d_out if qkv_bias else 0
# + bias = 4 * d_out if qkv_bias else 0
# - out_bias = d_out
# + out_bias = 0

# %% mistake="unrecognized: = in the place of +=" edits="mine"
# - return qkv + bias + out + out_bias
# + n = qkv + out + out_bias
# + if qkv_bias:
# +     n = 3 * d_out
# + return n

# %% mistake="unrecognized: multiplied by the flag" edits="mine"
# - qkv = 3 * d_in * d_out
# + qkv = 3 * d_in * d_out * qkv_bias

# %% mistake="forbidden-call: counted by layers" says="itself or through what it called"
def parameter_count(d_in, d_out, qkv_bias=False):
    from torch import nn

    layers = [nn.Linear(d_in, d_out, bias=qkv_bias) for _ in range(3)] + [nn.Linear(d_out, d_out)]
    return sum(one.numel() for layer in layers for one in layer.parameters())
