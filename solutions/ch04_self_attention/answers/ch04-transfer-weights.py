# %% setup
import torch
from torch import nn


# %% correct="copied in place"
def transfer_weights(v2, v1):
    with torch.no_grad():
        v1.W_query.copy_(v2.W_query.weight.T)
        v1.W_key.copy_(v2.W_key.weight.T)
        v1.W_value.copy_(v2.W_value.weight.T)


# %% correct="new parameters"
def transfer_weights(v2, v1):
    v1.W_query = nn.Parameter(v2.W_query.weight.detach().T.clone())
    v1.W_key = nn.Parameter(v2.W_key.weight.detach().T.clone())
    v1.W_value = nn.Parameter(v2.W_value.weight.detach().T.clone())


# %% correct="by state dict"
def transfer_weights(v2, v1):
    state = v2.state_dict()
    v1.load_state_dict({name: state[f"{name}.weight"].t() for name in ("W_query", "W_key", "W_value")})


# %% correct="number by number, and the module returned"
def transfer_weights(v2, v1):
    for name in ("W_value", "W_key", "W_query"):
        source, target = getattr(v2, name).weight, getattr(v1, name)
        for i in range(target.shape[0]):
            for j in range(target.shape[1]):
                target.data[i, j] = source.data[j, i]
    return v1


# %% correct="asks the layers for unit vectors"
def transfer_weights(v2, v1):
    for name in ("W_query", "W_key", "W_value"):
        layer = getattr(v2, name)
        unit = torch.eye(layer.in_features, device=layer.weight.device)
        getattr(v1, name).data = layer(unit).detach()


# %% correct="tests itself afterwards" edits="copied in place"
# - v1.W_value.copy_(v2.W_value.weight.T)
# + v1.W_value.copy_(v2.W_value.weight.T)
# + x = torch.rand(3, v1.W_query.shape[0], device=v1.W_query.device)
# + assert torch.allclose(v1(x), v2(x), atol=1e-5)


# %% mistake="transfer-not-transposed" also="wrong-shape"
def transfer_weights(v2, v1):
    v1.W_query = nn.Parameter(v2.W_query.weight.detach().clone())
    v1.W_key = nn.Parameter(v2.W_key.weight.detach().clone())
    v1.W_value = nn.Parameter(v2.W_value.weight.detach().clone())


# %% mistake="transfer-not-transposed: copied in place" also="raises" edits="copied in place"
# - v1.W_query.copy_(v2.W_query.weight.T)
# - v1.W_key.copy_(v2.W_key.weight.T)
# - v1.W_value.copy_(v2.W_value.weight.T)
# + v1.W_query.copy_(v2.W_query.weight)
# + v1.W_key.copy_(v2.W_key.weight)
# + v1.W_value.copy_(v2.W_value.weight)

# %% mistake="reshape-not-transpose" edits="copied in place"
# - v1.W_query.copy_(v2.W_query.weight.T)
# - v1.W_key.copy_(v2.W_key.weight.T)
# - v1.W_value.copy_(v2.W_value.weight.T)
# + v1.W_query.copy_(v2.W_query.weight.reshape(v1.W_query.shape))
# + v1.W_key.copy_(v2.W_key.weight.reshape(v1.W_key.shape))
# + v1.W_value.copy_(v2.W_value.weight.reshape(v1.W_value.shape))

# %% mistake="reshape-not-transpose: a view of 3 rows and 2 columns" edits="copied in place"
# - v1.W_query.copy_(v2.W_query.weight.T)
# - v1.W_key.copy_(v2.W_key.weight.T)
# - v1.W_value.copy_(v2.W_value.weight.T)
# + v1.W_query.copy_(v2.W_query.weight.view(3, 2))
# + v1.W_key.copy_(v2.W_key.weight.view(3, 2))
# + v1.W_value.copy_(v2.W_value.weight.view(3, 2))

# %% mistake="transfer-incomplete" edits="copied in place"
# - v1.W_value.copy_(v2.W_value.weight.T)

# %% mistake="transfer-incomplete: only the query" edits="copied in place"
# - v1.W_key.copy_(v2.W_key.weight.T)
# - v1.W_value.copy_(v2.W_value.weight.T)

# %% mistake="transfer-incomplete: no keys" edits="copied in place"
# - v1.W_key.copy_(v2.W_key.weight.T)

# %% mistake="transfer-incomplete: no query" edits="copied in place"
# - v1.W_query.copy_(v2.W_query.weight.T)

# %% mistake="transfer-incomplete: only the key" edits="copied in place"
# - v1.W_query.copy_(v2.W_query.weight.T)
# - v1.W_key.copy_(v2.W_key.weight.T)
# - v1.W_value.copy_(v2.W_value.weight.T)
# + v1.W_key.copy_(v2.W_key.weight.T)

# %% mistake="transfer-incomplete: only the value" edits="copied in place"
# - v1.W_query.copy_(v2.W_query.weight.T)
# - v1.W_key.copy_(v2.W_key.weight.T)


# %% mistake="nothing-copied"
def transfer_weights(v2, v1):
    query, key, value = v1.W_query, v1.W_key, v1.W_value
    query = v2.W_query.weight.T.clone()
    key = v2.W_key.weight.T.clone()
    value = v2.W_value.weight.T.clone()


# %% mistake="transfer-wrong-direction" also="input-modified"
def transfer_weights(v2, v1):
    with torch.no_grad():
        v2.W_query.weight.copy_(v1.W_query.T)
        v2.W_key.weight.copy_(v1.W_key.T)
        v2.W_value.weight.copy_(v1.W_value.T)


# %% mistake="raises: arguments exchanged" edits="copied in place"
# - def transfer_weights(v2, v1):
# + def transfer_weights(v1, v2):

# %% mistake="query-key-swapped" edits="copied in place"
# - v1.W_query.copy_(v2.W_query.weight.T)
# - v1.W_key.copy_(v2.W_key.weight.T)
# + v1.W_key.copy_(v2.W_query.weight.T)
# + v1.W_query.copy_(v2.W_key.weight.T)

# %% mistake="transfer-exchanged" edits="copied in place"
# - v1.W_key.copy_(v2.W_key.weight.T)
# - v1.W_value.copy_(v2.W_value.weight.T)
# + v1.W_value.copy_(v2.W_key.weight.T)
# + v1.W_key.copy_(v2.W_value.weight.T)

# %% mistake="transfer-exchanged: query and value" edits="copied in place"
# - v1.W_query.copy_(v2.W_query.weight.T)
# + v1.W_value.copy_(v2.W_query.weight.T)
# - v1.W_value.copy_(v2.W_value.weight.T)
# + v1.W_query.copy_(v2.W_value.weight.T)

# %% mistake="shared-projection" edits="copied in place"
# - v1.W_key.copy_(v2.W_key.weight.T)
# - v1.W_value.copy_(v2.W_value.weight.T)
# + v1.W_key.copy_(v2.W_query.weight.T)
# + v1.W_value.copy_(v2.W_query.weight.T)

# %% mistake="shared-projection: query from key" edits="copied in place"
# - v1.W_query.copy_(v2.W_query.weight.T)
# + v1.W_query.copy_(v2.W_key.weight.T)

# %% mistake="shared-projection: query from value" edits="copied in place"
# - v1.W_query.copy_(v2.W_query.weight.T)
# + v1.W_query.copy_(v2.W_value.weight.T)

# %% mistake="shared-projection: key from query" edits="copied in place"
# - v1.W_key.copy_(v2.W_key.weight.T)
# + v1.W_key.copy_(v2.W_query.weight.T)

# %% mistake="shared-projection: key from value" edits="copied in place"
# - v1.W_key.copy_(v2.W_key.weight.T)
# + v1.W_key.copy_(v2.W_value.weight.T)

# %% mistake="shared-projection: value from query" edits="copied in place"
# - v1.W_value.copy_(v2.W_value.weight.T)
# + v1.W_value.copy_(v2.W_query.weight.T)

# %% mistake="shared-projection: value from key" edits="copied in place"
# - v1.W_value.copy_(v2.W_value.weight.T)
# + v1.W_value.copy_(v2.W_key.weight.T)

# %% mistake="transfer-incomplete: key written to query" edits="copied in place"
# - v1.W_key.copy_(v2.W_key.weight.T)
# + v1.W_query.copy_(v2.W_key.weight.T)

# %% mistake="transfer-incomplete: value written to key" edits="copied in place"
# - v1.W_value.copy_(v2.W_value.weight.T)
# + v1.W_key.copy_(v2.W_value.weight.T)

# %% mistake="transfer-incomplete: value written to query" edits="copied in place"
# - v1.W_value.copy_(v2.W_value.weight.T)
# + v1.W_query.copy_(v2.W_value.weight.T)


# %% mistake="storage-shared"
def transfer_weights(v2, v1):
    v1.W_query = nn.Parameter(v2.W_query.weight.T)
    v1.W_key = nn.Parameter(v2.W_key.weight.T)
    v1.W_value = nn.Parameter(v2.W_value.weight.T)


# %% mistake="storage-shared: by data"
def transfer_weights(v2, v1):
    v1.W_query.data = v2.W_query.weight.data.T
    v1.W_key.data = v2.W_key.weight.data.T
    v1.W_value.data = v2.W_value.weight.data.T


# %% mistake="storage-shared: where a transpose needs no copy"
def transfer_weights(v2, v1):
    for name in ("W_query", "W_key", "W_value"):
        setattr(v1, name, nn.Parameter(getattr(v2, name).weight.detach().T.contiguous()))


# %% mistake="input-modified: frozen" edits="copied in place"
# - with torch.no_grad():
# + for parameter in v2.parameters():
# +     parameter.requires_grad = False
# + with torch.no_grad():

# %% mistake="input-modified: in double precision" edits="copied in place"
# - with torch.no_grad():
# + v2.double()
# + with torch.no_grad():


# %% mistake="input-modified: turned in place"
def transfer_weights(v2, v1):
    for name in ("W_query", "W_key", "W_value"):
        weight = getattr(v2, name).weight
        weight.data = weight.data.T
        getattr(v1, name).data = weight.data.clone()


# %% mistake="no-gradient: computed, not stored"
def transfer_weights(v2, v1):
    for name in ("W_query", "W_key", "W_value"):
        getattr(v1, name).requires_grad_(False).copy_(getattr(v2, name).weight.T)


# %% mistake="input-modified"
def transfer_weights(v2, v1):
    for name in ("W_query", "W_key", "W_value"):
        source = getattr(v2, name).weight
        getattr(v1, name).data = source.data.T.clone()
        source.data.zero_()


# %% mistake="no-gradient" edits="new parameters"
# - v1.W_query = nn.Parameter(v2.W_query.weight.detach().T.clone())
# + v1.W_query = nn.Parameter(v2.W_query.weight.detach().T.clone(), requires_grad=False)


# %% mistake="not-registered"
def transfer_weights(v2, v1):
    for name in ("W_query", "W_key", "W_value"):
        delattr(v1, name)
        setattr(v1, name, getattr(v2, name).weight.detach().T.clone())


# %% mistake="wrong-dtype" edits="new parameters"
# - v1.W_query = nn.Parameter(v2.W_query.weight.detach().T.clone())
# + v1.W_query = nn.Parameter(v2.W_query.weight.detach().T.clone().double())

# %% mistake="wrong-device" on="device" edits="new parameters"
# - v1.W_query = nn.Parameter(v2.W_query.weight.detach().T.clone())
# + v1.W_query = nn.Parameter(v2.W_query.weight.detach().T.cpu().clone())

# %% mistake="not-finite" edits="copied in place"
# - v1.W_value.copy_(v2.W_value.weight.T)
# + v1.W_value.copy_(v2.W_value.weight.T / 0)


# %% mistake="wrong-type"
class TransferWeights:
    pass


transfer_weights = TransferWeights()


# %% mistake="not-registered: an array in its place"
def transfer_weights(v2, v1):
    for name in ("W_query", "W_key", "W_value"):
        delattr(v1, name)
        setattr(v1, name, getattr(v2, name).weight.detach().T.numpy().copy())


# %% mistake="wrong-shape: a layer of its own"
def transfer_weights(v2, v1):
    for name in ("W_query", "W_key", "W_value"):
        setattr(v1, name, nn.Parameter(getattr(v2, name).weight.detach().T[:3, :2].clone()))


# %% mistake="not-implemented"
def transfer_weights(v2, v1):
    raise NotImplementedError("Write your answer here, then delete this line.")


# %% mistake="not-defined"
def transfer(v2, v1):
    pass


# %% mistake="syntax-error" edits="copied in place"
# - def transfer_weights(v2, v1):
# + def transfer_weights(v2, v1)

# %% mistake="raises" edits="copied in place"
# - with torch.no_grad():
# + if True:

# %% mistake="raises: a tensor is no parameter" edits="new parameters"
# - v1.W_query = nn.Parameter(v2.W_query.weight.detach().T.clone())
# + v1.W_query = v2.W_query.weight.detach().T.clone()

# %% mistake="too-slow" edits="copied in place"
# - v1.W_query.copy_(v2.W_query.weight.T)
# + while True:
# +     v1.W_query.copy_(v2.W_query.weight.T)

# %% mistake="unrecognized: halved" edits="copied in place"
# - v1.W_query.copy_(v2.W_query.weight.T)
# + v1.W_query.copy_(v2.W_query.weight.T / 2)

# %% mistake="unrecognized: averaged with what was there" edits="copied in place"
# - v1.W_query.copy_(v2.W_query.weight.T)
# + v1.W_query.copy_((v2.W_query.weight.T + v1.W_query) / 2)
