# %% setup
import copy

import torch
from torch import nn


# %% correct="textbook"
def run_on(module, x, device):
    home = next(module.parameters()).device
    module.to(device)
    result = module(x.to(device))
    module.to(home)
    return result.to(x.device)


# %% correct="a copy travels"
def run_on(module, x, device):
    traveler = copy.deepcopy(module).to(device)
    return traveler(x.to(device)).to(x.device)


# %% correct="back whatever happens"
def run_on(module, x, device):
    device = torch.device(device)
    start = next(iter(module.state_dict().values())).device
    try:
        return module.to(device)(x.to(device)).to(device=x.device)
    finally:
        module.to(start)


# %% correct="only where needed"
def run_on(module, x, device):
    before = next(module.parameters()).device
    if before != torch.device(device):
        module = copy.deepcopy(module)
        module.to(device)
    y = module(x if x.device == torch.device(device) else x.to(device))
    return y if y.device == x.device else y.to(x.device)


# %% correct="functional_call"
def run_on(module, x, device):
    there = {name: tensor.to(device) for name, tensor in module.state_dict().items()}
    return torch.func.functional_call(module, there, (x.to(device),)).to(x.device)


# %% correct="to_() of another tensor"
def run_on(module, x, device):
    old = module.state_dict()
    home = {name: value.device for name, value in old.items()}
    y = module.to(device).forward(x.to(device)).to(x)
    module.to(set(home.values()).pop())
    return y


# %% mistake="module-moved" edits="textbook"
# - module.to(home)
# + pass

# %% mistake="module-moved: a second name is no copy" edits="a copy travels"
# - traveler = copy.deepcopy(module).to(device)
# + traveler = module
# + traveler = traveler.to(device)

# %% mistake="module-moved: to() is thought to give a copy" edits="a copy travels"
# - traveler = copy.deepcopy(module).to(device)
# + traveler = module.to(device)

# %% mistake="module-moved: back to where x is" edits="textbook"
# - module.to(home)
# + module.to(x.device)

# %% mistake="module-moved: back to the CPU" edits="textbook"
# - module.to(home)
# + module.to('cpu')

# %% mistake="module-moved: after the return" edits="textbook"
# - module.to(home)
# - return result.to(x.device)
# + return result.to(x.device)
# + module.to(home)

# %% mistake="module-moved: home is asked too late" edits="textbook"
# - home = next(module.parameters()).device
# - module.to(device)
# + module.to(device)
# + home = next(module.parameters()).device

# %% mistake="module-moved: a shallow copy" edits="a copy travels"
# - traveler = copy.deepcopy(module).to(device)
# + traveler = copy.copy(module).to(device)

# %% mistake="result-left-behind" edits="textbook"
# - return result.to(x.device)
# + return result

# %% mistake="result-left-behind: always the CPU" edits="textbook"
# - return result.to(x.device)
# + return result.cpu()

# %% mistake="result-left-behind: where the module is at home" edits="textbook"
# - return result.to(x.device)
# + return result.to(home)

# %% mistake="result-left-behind: to() is not in place" edits="textbook"
# - return result.to(x.device)
# + result.to(x.device)
# + return result

# %% mistake="result-left-behind: the name x is used again" edits="textbook"
# - result = module(x.to(device))
# + x = x.to(device)
# + result = module(x)

# %% mistake="input-left-behind" also="raises" edits="textbook"
# - result = module(x.to(device))
# + result = module(x)

# %% mistake="input-left-behind: to() is not in place" also="raises" edits="textbook"
# - result = module(x.to(device))
# + x.to(device)
# + result = module(x)

# %% mistake="module-left-behind" also="raises" edits="textbook"
# - module.to(device)
# + pass

# %% mistake="module-left-behind: the parameters are moved nowhere" also="raises" edits="textbook"
# - module.to(device)
# + for parameter in module.parameters():
# +     parameter.to(device)

# %% mistake="module-left-behind: the buffer stays" also="raises" edits="textbook"
# - module.to(device)
# + for name, parameter in list(module.named_parameters()):
# +     setattr(module, name, nn.Parameter(parameter.to(device)))

# %% mistake="device-ignored" edits="textbook"
# - module.to(device)
# - result = module(x.to(device))
# - module.to(home)
# + result = module(x.to(home))

# %% mistake="device-ignored: to where x is" edits="textbook"
# - module.to(device)
# - result = module(x.to(device))
# + module.to(x.device)
# + result = module(x)

# %% mistake="device-ignored: the CPU for everybody" edits="textbook"
# - module.to(device)
# - result = module(x.to(device))
# + module.to('cpu')
# + result = module(x.to('cpu'))

# %% mistake="device-ignored: run at home as well" edits="textbook"
# - module.to(device)
# + module(x.to(home))
# + module.to(device)

# %% mistake="module-called-again" edits="textbook"
# - result = module(x.to(device))
# + result = torch.stack([module(row) for row in x.to(device)])

# %% mistake="module-called-again: to warm up" edits="textbook"
# - result = module(x.to(device))
# + module(x.to(device))
# + result = module(x.to(device))

# %% mistake="device-ignored: the module's numbers alone" edits="textbook"
# - result = module(x.to(device))
# + result = x.to(device) @ module.weight + module.shift
# + result = result / 2 if module.training else result

# %% mistake="mode-changed" edits="textbook"
# - module.to(device)
# + module.to(device).eval()

# %% mistake="mode-changed: in training" edits="textbook"
# - module.to(device)
# + module.to(device).train()

# %% mistake="mode-changed: on a copy" edits="a copy travels"
# - traveler = copy.deepcopy(module).to(device)
# + traveler = copy.deepcopy(module).to(device).eval()

# %% mistake="mode-changed: eval() afterwards" edits="textbook"
# - module.to(home)
# + module.to(home).eval()

# %% mistake="mode-changed: train() afterwards" edits="textbook"
# - module.to(home)
# + module.to(home).train()

# %% mistake="no-gradient" edits="textbook"
# - result = module(x.to(device))
# + with torch.no_grad():
# +     result = module(x.to(device))

# %% mistake="no-gradient: detached" edits="textbook"
# - return result.to(x.device)
# + return result.detach().to(x.device)

# %% mistake="no-gradient: data" edits="textbook"
# - result = module(x.to(device))
# + result = module(x.data.to(device))

# %% mistake="no-gradient: made anew" edits="textbook"
# - result = module(x.to(device))
# + result = module(torch.tensor(x.cpu().tolist(), dtype=x.dtype).to(device))

# %% mistake="input-modified: x is written to" edits="textbook"
# - return result.to(x.device)
# + back = result.to(x.device)
# + x.zero_()
# + return back

# %% mistake="input-modified: the weights" also="setting-left" edits="textbook"
# - module.to(device)
# + torch.manual_seed(0)
# + module.to(device)
# - module.to(home)
# + with torch.no_grad():
# +     next(module.parameters()).zero_()
# + module.to(home)

# %% mistake="wrong-type: nothing returned" edits="textbook"
# - return result.to(x.device)
# + result = result.to(x.device)

# %% mistake="wrong-type: result and device" edits="textbook"
# - return result.to(x.device)
# + return result.to(x.device), x.device

# %% mistake="wrong-type: the module" edits="textbook"
# - return result.to(x.device)
# + return module

# %% mistake="wrong-dtype" edits="textbook"
# - return result.to(x.device)
# + return result.to(x.device, torch.float64)

# %% mistake="unrecognized: x comes back" edits="textbook"
# - return result.to(x.device)
# + return x @ next(module.parameters())

# %% mistake="raises: a text has no type" edits="textbook"
# - module.to(device)
# + print(device.type)
# + module.to(device)

# %% mistake="raises: a module has no device" edits="textbook"
# - home = next(module.parameters()).device
# + home = module.device

# %% mistake="raises: moved to a GPU that is not there" on="cpu" edits="textbook"
# - module.to(device)
# + module.cuda()

# %% mistake="not-implemented" edits="textbook"
# - home = next(module.parameters()).device
# + raise NotImplementedError("Write your answer here, then delete this line.")

# %% mistake="not-defined" edits="textbook"
# - def run_on(module, x, device):
# + def run_at(module, x, device):

# %% mistake="syntax-error" edits="textbook"
# - result = module(x.to(device))
# + result = module(x.to(device)

# %% mistake="raises: the arguments in another order" edits="textbook"
# - def run_on(module, x, device):
# + def run_on(x, module, device):

# %% mistake="too-slow" edits="textbook"
# - module.to(device)
# + while True:
# +     module.to(device)

# %% mistake="mode-changed: the whole is put back, its parts are not" edits="textbook"
# - home = next(module.parameters()).device
# + home, training = next(module.parameters()).device, module.training
# + module.eval().train(training)

# %% mistake="raises: float32 whatever comes" edits="textbook"
# - result = module(x.to(device))
# + result = module(x.float().to(device))
