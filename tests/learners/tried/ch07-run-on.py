# %% setup
import copy

import torch
from torch import nn


# %% correct="mine"
def run_on(module, x, device):
    home = next(module.parameters()).device
    module.to(device)
    moved = x.to(device)
    result = module(moved)
    module.to(home)
    return result.to(x.device)


# %% correct="mine, a copy"
def run_on(module, x, device):
    other = copy.deepcopy(module)
    other.to(device)
    result = other(x.to(device))
    return result.to(x.device)


# %% mistake="input-left-behind: x.to has no name" also="raises" edits="mine"
# - moved = x.to(device)
# - result = module(moved)
# + x.to(device)
# + result = module(x)

# %% mistake="module-moved: not moved back" edits="mine"
# - module.to(home)
# + pass

# %% mistake="module-moved: no copy, a second name" edits="mine, a copy"
# - other = copy.deepcopy(module)
# + other = module

# %% mistake="module-moved: a shallow copy" edits="mine, a copy"
# - other = copy.deepcopy(module)
# + other = copy.copy(module)

# %% mistake="module-moved: back to where x is" edits="mine"
# - module.to(home)
# + module.to(x.device)

# %% mistake="module-moved: home is asked too late" edits="mine"
# - home = next(module.parameters()).device
# - module.to(device)
# + module.to(device)
# + home = next(module.parameters()).device

# %% mistake="module-moved: return before the way back" edits="mine"
# - module.to(home)
# - return result.to(x.device)
# + return result.to(x.device)
# + module.to(home)

# %% mistake="result-left-behind: cpu()" edits="mine"
# - return result.to(x.device)
# + return result.cpu()

# %% mistake="result-left-behind: stays" edits="mine"
# - return result.to(x.device)
# + return result

# %% mistake="result-left-behind: home" edits="mine"
# - return result.to(x.device)
# + return result.to(home)

# %% mistake="result-left-behind: x has another device by now" edits="mine"
# - moved = x.to(device)
# - result = module(moved)
# + x = x.to(device)
# + result = module(x)

# %% mistake="result-left-behind: to() has no name" edits="mine"
# - return result.to(x.device)
# + result.to(x.device)
# + return result

# %% mistake="no-gradient: no_grad" edits="mine"
# - result = module(moved)
# + with torch.no_grad():
# +     result = module(moved)

# %% mistake="no-gradient: detach" edits="mine"
# - return result.to(x.device)
# + return result.detach().to(x.device)

# %% mistake="mode-changed: eval" edits="mine"
# - module.to(device)
# + module.to(device).eval()

# %% mistake="mode-changed: eval, then train" edits="mine"
# - module.to(device)
# + module.to(device).eval()
# - module.to(home)
# + module.to(home).train()

# %% mistake="device-ignored: runs at home" edits="mine"
# - module.to(device)
# - moved = x.to(device)
# + moved = x.to(home)

# %% mistake="device-ignored: runs where x is" edits="mine"
# - module.to(device)
# - moved = x.to(device)
# + module.to(x.device)
# + moved = x

# %% mistake="raises: a module has no device" edits="mine"
# - home = next(module.parameters()).device
# + home = module.device

# %% mistake="raises: parameters() is no list" edits="mine"
# - home = next(module.parameters()).device
# + home = module.parameters()[0].device

# %% mistake="raises: a generator has no device" edits="mine"
# - home = next(module.parameters()).device
# + home = module.parameters().device

# %% mistake="raises: a text has no type" edits="mine"
# - module.to(device)
# + if device.type != home.type:
# +     module.to(device)

# %% mistake="raises: the copy of the result" edits="mine"
# - return result.to(x.device)
# + return result.to(x)(x.device)

# %% mistake="module-left-behind: the copy is moved, the module called" also="raises" edits="mine, a copy"
# - result = other(x.to(device))
# + result = module(x.to(device))

# %% mistake="module-called-again: row by row" edits="mine"
# - result = module(moved)
# + result = torch.stack([module(row) for row in moved])

# %% mistake="module-moved: and the result stays" edits="mine"
# - module.to(home)
# - return result.to(x.device)
# + return result

# %% mistake="mode-changed: and not moved back" edits="mine"
# - module.to(device)
# + module.to(device).eval()
# - module.to(home)
# + pass

# %% mistake="module-moved: and no_grad" edits="mine"
# - result = module(moved)
# - module.to(home)
# + with torch.no_grad():
# +     result = module(moved)

# %% mistake="wrong-type: nothing returned" edits="mine"
# - return result.to(x.device)
# + result.to(x.device)

# %% mistake="input-left-behind: and the module goes where x is" also="raises" edits="mine"
# - home = next(module.parameters()).device
# - module.to(device)
# - moved = x.to(device)
# - result = module(moved)
# + home = x.device
# + module.to(device)
# + x.to(device)
# + result = module(x)

# %% mistake="mode-changed: eval, no_grad and cpu()" edits="mine, a copy"
# - other.to(device)
# - result = other(x.to(device))
# - return result.to(x.device)
# + other.to(device).eval()
# + with torch.no_grad():
# +     return other(x.to(device)).cpu()

# %% mistake="module-called-again: twice" edits="mine"
# - result = module(moved)
# + result = module(moved)
# + result = module(moved)

# %% mistake="module-called-again: sentence by sentence" edits="mine"
# - result = module(moved)
# + result = torch.cat([module(moved[i : i + 1]) for i in range(len(moved))])

# %% mistake="device-ignored: only the result travels" edits="mine"
# - module.to(device)
# - moved = x.to(device)
# - result = module(moved)
# - module.to(home)
# + result = module(x.to(home)).to(device)

# %% mistake="no-gradient: through a list" edits="mine"
# - result = module(moved)
# + result = torch.tensor(module(moved).tolist())

# %% mistake="module-called-again: before it counts" never="more than once. The module was called more" edits="mine"
# - result = module(moved)
# + module(moved)
# + result = module(moved)
