# %% setup
import torch
from torch import nn

# %% correct="mine"
def transfer_weights(v2, v1):
    with torch.no_grad():
        v1.W_query.copy_(v2.W_query.weight.T)
        v1.W_key.copy_(v2.W_key.weight.T)
        v1.W_value.copy_(v2.W_value.weight.T)

# %% mistake="raises: a plain tensor for a parameter" says="cannot assign|written into a parameter"
def transfer_weights(v2, v1):
    v1.W_query = v2.W_query.weight.T
    v1.W_key = v2.W_key.weight.T
    v1.W_value = v2.W_value.weight.T

# %% mistake="raises: no no_grad" says="in-place operation" edits="mine"
# - with torch.no_grad():
# + for _ in range(1):

# %% mistake="transfer-not-transposed: copied as it is" edits="mine"
# - v1.W_query.copy_(v2.W_query.weight.T)
# - v1.W_key.copy_(v2.W_key.weight.T)
# - v1.W_value.copy_(v2.W_value.weight.T)
# + v1.W_query.copy_(v2.W_query.weight)
# + v1.W_key.copy_(v2.W_key.weight)
# + v1.W_value.copy_(v2.W_value.weight)

# %% mistake="storage-shared: a parameter around a view"
def transfer_weights(v2, v1):
    v1.W_query = nn.Parameter(v2.W_query.weight.T)
    v1.W_key = nn.Parameter(v2.W_key.weight.T)
    v1.W_value = nn.Parameter(v2.W_value.weight.T)

# %% mistake="raises: a clone for a parameter" says="cannot assign"
def transfer_weights(v2, v1):
    v1.W_query = v2.W_query.weight.T.clone()
    v1.W_key = v2.W_key.weight.T.clone()
    v1.W_value = v2.W_value.weight.T.clone()

# %% mistake="transfer-wrong-direction: from v1 to v2" edits="mine"
# - v1.W_query.copy_(v2.W_query.weight.T)
# - v1.W_key.copy_(v2.W_key.weight.T)
# - v1.W_value.copy_(v2.W_value.weight.T)
# + v2.W_query.weight.copy_(v1.W_query.T)
# + v2.W_key.weight.copy_(v1.W_key.T)
# + v2.W_value.weight.copy_(v1.W_value.T)

# %% mistake="shared-projection: the key's line copied from the query's" edits="mine"
# - v1.W_key.copy_(v2.W_key.weight.T)
# + v1.W_key.copy_(v2.W_query.weight.T)

# %% mistake="shared-projection: the value's line copied from the key's" edits="mine"
# - v1.W_value.copy_(v2.W_value.weight.T)
# + v1.W_value.copy_(v2.W_key.weight.T)

# %% mistake="shared-projection: the query gets the key's" edits="mine"
# - v1.W_query.copy_(v2.W_query.weight.T)
# + v1.W_query.copy_(v2.W_key.weight.T)

# %% mistake="transfer-incomplete: the key is written to the query" edits="mine"
# - v1.W_key.copy_(v2.W_key.weight.T)
# + v1.W_query.copy_(v2.W_key.weight.T)

# %% mistake="transfer-incomplete: the value is written to the key" edits="mine"
# - v1.W_value.copy_(v2.W_value.weight.T)
# + v1.W_key.copy_(v2.W_value.weight.T)

# %% mistake="transfer-incomplete: the query alone" edits="mine"
# - v1.W_key.copy_(v2.W_key.weight.T)
# - v1.W_value.copy_(v2.W_value.weight.T)

# %% mistake="reshape-not-transpose: poured into the shape" edits="mine"
# - v1.W_query.copy_(v2.W_query.weight.T)
# - v1.W_key.copy_(v2.W_key.weight.T)
# - v1.W_value.copy_(v2.W_value.weight.T)
# + for name in ("W_query", "W_key", "W_value"):
# +     target = getattr(v1, name)
# +     target.copy_(getattr(v2, name).weight.view(target.shape))

# %% mistake="storage-shared: data is a view"
def transfer_weights(v2, v1):
    v1.W_query.data = v2.W_query.weight.data.T
    v1.W_key.data = v2.W_key.weight.data.T
    v1.W_value.data = v2.W_value.weight.data.T

# %% mistake="nothing-copied: another name for v2"
def transfer_weights(v2, v1):
    v1 = v2

# %% mistake="nothing-copied: returned under the other name"
def transfer_weights(v2, v1):
    v1 = v2
    return v1

# %% mistake="nothing-copied: names of its own"
def transfer_weights(v2, v1):
    W_query = v2.W_query.weight.T.clone()
    W_key = v2.W_key.weight.T.clone()
    W_value = v2.W_value.weight.T.clone()
    return W_query, W_key, W_value

# %% mistake="nothing-copied: clones are written into"
def transfer_weights(v2, v1):
    with torch.no_grad():
        v1.W_query.clone().copy_(v2.W_query.weight.T)
        v1.W_key.clone().copy_(v2.W_key.weight.T)
        v1.W_value.clone().copy_(v2.W_value.weight.T)

# %% mistake="raises: the layer, not its weight" edits="mine"
# - v1.W_query.copy_(v2.W_query.weight.T)
# + v1.W_query.copy_(v2.W_query.T)

# %% mistake="no-gradient: parameters that are not trained"
def transfer_weights(v2, v1):
    for name in ("W_query", "W_key", "W_value"):
        weight = getattr(v2, name).weight.T.detach().clone()
        setattr(v1, name, nn.Parameter(weight, requires_grad=False))

# %% mistake="raises: number by number, recorded" says="in-place operation"
def transfer_weights(v2, v1):
    for i in range(v1.W_query.shape[0]):
        for j in range(v1.W_query.shape[1]):
            v1.W_query[i, j] = v2.W_query.weight[j, i]
            v1.W_key[i, j] = v2.W_key.weight[j, i]
            v1.W_value[i, j] = v2.W_value.weight[j, i]

# %% mistake="transfer-incomplete: the loop ends early"
def transfer_weights(v2, v1):
    names = ["W_query", "W_key", "W_value"]
    with torch.no_grad():
        for i in range(len(names) - 1):
            getattr(v1, names[i]).copy_(getattr(v2, names[i]).weight.T)

# %% mistake="unrecognized: poured into the shape, and the value gets the key's" edits="mine"
# - v1.W_query.copy_(v2.W_query.weight.T)
# - v1.W_key.copy_(v2.W_key.weight.T)
# - v1.W_value.copy_(v2.W_value.weight.T)
# + v1.W_query.copy_(v2.W_query.weight.reshape(v1.W_query.shape))
# + v1.W_key.copy_(v2.W_key.weight.reshape(v1.W_key.shape))
# + v1.W_value.copy_(v2.W_key.weight.reshape(v1.W_value.shape))

# %% mistake="transfer-incomplete: data is a view, and the value is forgotten"
def transfer_weights(v2, v1):
    v1.W_query.data = v2.W_query.weight.data.T
    v1.W_key.data = v2.W_key.weight.data.T

# %% mistake="setting-left: recording is switched off"
def transfer_weights(v2, v1):
    torch.set_grad_enabled(False)
    v1.W_query.copy_(v2.W_query.weight.T)
    v1.W_key.copy_(v2.W_key.weight.T)
    v1.W_value.copy_(v2.W_value.weight.T)

# %% mistake="raises: the state of the other module"
def transfer_weights(v2, v1):
    v1.load_state_dict(v2.state_dict())

# %% mistake="last-left-out: number by number" edits="mine"
# - v1.W_query.copy_(v2.W_query.weight.T)
# - v1.W_key.copy_(v2.W_key.weight.T)
# - v1.W_value.copy_(v2.W_value.weight.T)
# + for name in ("W_query", "W_key", "W_value"):
# +     a, b = getattr(v2, name).weight, getattr(v1, name)
# +     for i in range(a.shape[0]):
# +         for j in range(a.shape[1] - 1):
# +             b[j, i] = a[i, j]

# %% mistake="input-modified: v2 is frozen" edits="mine"
# - v1.W_value.copy_(v2.W_value.weight.T)
# + v1.W_value.copy_(v2.W_value.weight.T)
# + v2.W_query.weight.requires_grad = False

# %% mistake="query-key-swapped: query and key exchanged" edits="mine"
# - v1.W_query.copy_(v2.W_query.weight.T)
# - v1.W_key.copy_(v2.W_key.weight.T)
# + v1.W_query.copy_(v2.W_key.weight.T)
# + v1.W_key.copy_(v2.W_query.weight.T)

# %% mistake="raises: query and key exchanged, and the value as it is" edits="mine"
# - v1.W_query.copy_(v2.W_query.weight.T)
# - v1.W_key.copy_(v2.W_key.weight.T)
# - v1.W_value.copy_(v2.W_value.weight.T)
# + v1.W_query.copy_(v2.W_key.weight.T)
# + v1.W_key.copy_(v2.W_query.weight.T)
# + v1.W_value.copy_(v2.W_value.weight)

# %% mistake="transfer-not-transposed: a parameter around the same numbers" also="wrong-shape"
def transfer_weights(v2, v1):
    v1.W_query = nn.Parameter(v2.W_query.weight)
    v1.W_key = nn.Parameter(v2.W_key.weight)
    v1.W_value = nn.Parameter(v2.W_value.weight)

# %% mistake="transfer-not-transposed: data as it is" also="wrong-shape"
def transfer_weights(v2, v1):
    v1.W_query.data = v2.W_query.weight
    v1.W_key.data = v2.W_key.weight
    v1.W_value.data = v2.W_value.weight

# %% mistake="raises: the layers themselves" says="cannot assign"
def transfer_weights(v2, v1):
    v1.W_query = v2.W_query
    v1.W_key = v2.W_key
    v1.W_value = v2.W_value

# %% mistake="raises: a state without the transposes" says="size mismatch"
def transfer_weights(v2, v1):
    v1.load_state_dict({name: getattr(v2, name).weight for name in ("W_query", "W_key", "W_value")})

# %% mistake="storage-shared: of the last alone"
def transfer_weights(v2, v1):
    v1.W_query.data = v2.W_query.weight.T.clone()
    v1.W_key.data = v2.W_key.weight.T.clone()
    v1.W_value.data = v2.W_value.weight.T

# %% mistake="no-gradient: requires_grad is switched off for the copy"
def transfer_weights(v2, v1):
    for name in ("W_query", "W_key", "W_value"):
        getattr(v1, name).requires_grad_(False)
        getattr(v1, name).copy_(getattr(v2, name).weight.T)

# %% mistake="raises: the arguments exchanged"
def transfer_weights(v1, v2):
    with torch.no_grad():
        v1.W_query.copy_(v2.W_query.weight.T)
        v1.W_key.copy_(v2.W_key.weight.T)
        v1.W_value.copy_(v2.W_value.weight.T)

# %% mistake="transfer-wrong-direction: the arguments exchanged, and the layers found"
def transfer_weights(v1, v2):
    with torch.no_grad():
        v1.W_query.weight.copy_(v2.W_query.T)
        v1.W_key.weight.copy_(v2.W_key.T)
        v1.W_value.weight.copy_(v2.W_value.T)

# %% mistake="nothing-copied: a deep copy under the other name"
def transfer_weights(v2, v1):
    import copy
    v1 = copy.deepcopy(v2)
    return v1

# %% mistake="nothing-copied: the other way, and poured" never="Nothing was copied"
def transfer_weights(v2, v1):
    with torch.no_grad():
        v2.W_query.weight.copy_(v1.W_query.reshape(v2.W_query.weight.shape))
        v2.W_key.weight.copy_(v1.W_key.reshape(v2.W_key.weight.shape))
        v2.W_value.weight.copy_(v1.W_value.reshape(v2.W_value.weight.shape))

# %% mistake="transfer-exchanged: and one piece of memory" never="was copied and turned"
def transfer_weights(v2, v1):
    v1.W_query.data = v2.W_query.weight.data.T
    v1.W_key.data = v2.W_value.weight.data.T
    v1.W_value.data = v2.W_key.weight.data.T

# %% mistake="raises: the whole state" says="what makes the one of the other" never="did you join"
def transfer_weights(v2, v1):
    v1.load_state_dict(v2.state_dict())

# %% mistake="not-registered: the parameters are taken away" says="Which of your lines takes it away" never="made in __init__"
def transfer_weights(v2, v1):
    for name in ["W_query", "W_key", "W_value"]:
        delattr(v1, name)
        setattr(v1, name, getattr(v2, name).weight.detach().T.numpy().copy())

# %% mistake="reshape-not-transpose: a view for the worked example's sizes" edits="mine"
# - v1.W_query.copy_(v2.W_query.weight.T)
# - v1.W_key.copy_(v2.W_key.weight.T)
# - v1.W_value.copy_(v2.W_value.weight.T)
# + v1.W_query.copy_(v2.W_query.weight.view(3, 2))
# + v1.W_key.copy_(v2.W_key.weight.view(3, 2))
# + v1.W_value.copy_(v2.W_value.weight.view(3, 2))
