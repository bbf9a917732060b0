# %% setup
import torch
from torch import nn


# %% correct="mine"
def stranded_tensors(module):
    result = []
    for path, part in module.named_modules():
        for name, value in vars(part).items():
            if isinstance(value, torch.Tensor):
                full = path + "." + name if path else name
                result.append(full)
    result.sort()
    return result


# %% mistake="submodules-skipped: outer only"
def stranded_tensors(module):
    return sorted(name for name, value in vars(module).items() if isinstance(value, torch.Tensor))


# %% mistake="submodules-skipped: one level"
def stranded_tensors(module):
    names = [name for name, value in vars(module).items() if isinstance(value, torch.Tensor)]
    for child_name, child in module.named_children():
        names += [f"{child_name}.{n}" for n, v in vars(child).items() if isinstance(v, torch.Tensor)]
    return sorted(names)


# %% mistake="prefix-missing: no prefix" edits="mine"
# - full = path + "." + name if path else name
# + full = name

# %% mistake="prefix-missing: modules() has no names" edits="mine"
# - for path, part in module.named_modules():
# + for part in module.modules():
# - full = path + "." + name if path else name
# + full = name

# %% mistake="root-name-wrong: a leading dot" edits="mine"
# - full = path + "." + name if path else name
# + full = path + "." + name

# %% mistake="root-name-wrong: the module's class stands in front" edits="mine"
# - full = path + "." + name if path else name
# + full = (path or type(module).__name__) + "." + name

# %% mistake="root-name-wrong: strip takes underscores" edits="mine"
# - full = path + "." + name if path else name
# + full = (path + "." + name).strip("._")

# %% mistake="names-unsorted: forgotten" edits="mine"
# - result.sort()
# + pass

# %% mistake="names-unsorted: sorted() is not in place" edits="mine"
# - result.sort()
# + sorted(result)

# %% mistake="names-unsorted: sorted in each module" edits="mine"
# - for name, value in vars(part).items():
# + for name, value in sorted(vars(part).items(), key=lambda pair: pair[0]):
# - result.sort()
# + pass

# %% mistake="wrong-type: what sort returns" edits="mine"
# - result.sort()
# - return result
# + return result.sort()

# %% mistake="underscore-skipped: private names" edits="mine"
# - if isinstance(value, torch.Tensor):
# + if isinstance(value, torch.Tensor) and not name.startswith("_"):

# %% mistake="moving-listed: every attribute that is a tensor"
def stranded_tensors(module):
    names = []
    for path, part in module.named_modules():
        for name in dir(part):
            if isinstance(getattr(part, name), torch.Tensor):
                names.append(f"{path}.{name}" if path else name)
    return sorted(names)


# %% mistake="attributes-listed: every attribute" never="names that the module does not hold" edits="mine"
# - if isinstance(value, torch.Tensor):
# + if value is not None:

# %% mistake="attributes-listed: every attribute that is no module" never="names that the module does not hold" edits="mine"
# - if isinstance(value, torch.Tensor):
# + if not isinstance(value, (nn.Module, nn.Parameter)):

# %% mistake="unsaved-listed: not in state_dict"
def stranded_tensors(module):
    saved = set(module.state_dict())
    names = []
    for path, part in module.named_modules():
        for name in dir(part):
            full = f"{path}.{name}" if path else name
            if isinstance(getattr(part, name), torch.Tensor) and full not in saved:
                names.append(full)
    return sorted(names)


# %% mistake="module-moved: moved to meta"
def stranded_tensors(module):
    module.to("meta")
    names = []
    for path, part in module.named_modules():
        for name, value in vars(part).items():
            if isinstance(value, torch.Tensor) and value.device.type != "meta":
                names.append(f"{path}.{name}" if path else name)
    return sorted(names)


# %% mistake="raises: to meta and back"
def stranded_tensors(module):
    module.to("meta")
    names = []
    for path, part in module.named_modules():
        for name, value in vars(part).items():
            if isinstance(value, torch.Tensor) and value.device.type != "meta":
                names.append(f"{path}.{name}" if path else name)
    module.to("cpu")
    return sorted(names)


# %% mistake="moving-listed: the buffers"
def stranded_tensors(module):
    return sorted(name for name, _ in module.named_buffers())


# %% mistake="moving-listed: the state_dict"
def stranded_tensors(module):
    return sorted(module.state_dict().keys())


# %% mistake="lists-listed: lists are searched, too" edits="mine"
# - if isinstance(value, torch.Tensor):
# + if isinstance(value, torch.Tensor) or (isinstance(value, list) and len(value) and torch.is_tensor(value[0])):

# %% mistake="submodules-skipped: return in the loop" edits="mine"
# - result.sort()
# - return result
# +     return sorted(result)

# %% mistake="last-round-only: a new list for every module" edits="mine"
# - for path, part in module.named_modules():
# + for path, part in module.named_modules():
# +     result = []

# %% mistake="raises: vars without items" edits="mine"
# - for name, value in vars(part).items():
# + for name, value in vars(part):

# %% mistake="raises: named_attributes" edits="mine"
# - for name, value in vars(part).items():
# + for name, value in part.named_attributes():

# %% mistake="raises: tensor is no class" edits="mine"
# - if isinstance(value, torch.Tensor):
# + if isinstance(value, torch.tensor):

# %% mistake="wrong-type: a set" edits="mine"
# - result.sort()
# - return result
# + return set(result)

# %% mistake="prefix-missing: and not sorted" edits="mine"
# - full = path + "." + name if path else name
# - result.append(full)
# + result.append(name)
# - result.sort()
# + pass

# %% mistake="root-name-wrong: and not sorted" edits="mine"
# - full = path + "." + name if path else name
# + full = path + "." + name
# - result.sort()
# + pass

# %% mistake="lists-listed: what is in them" edits="mine"
# - if isinstance(value, torch.Tensor):
# -     full = path + "." + name if path else name
# -     result.append(full)
# + if isinstance(value, torch.Tensor):
# +     full = path + "." + name if path else name
# +     result.append(full)
# + if isinstance(value, (list, tuple)):
# +     for i, one in enumerate(value):
# +         if isinstance(one, torch.Tensor):
# +             result.append(f"{path}.{name}.{i}" if path else f"{name}.{i}")

# %% mistake="names-unsorted: small and capital letters alike" edits="mine"
# - result.sort()
# - return result
# + return sorted(result, key=str.lower)


# %% mistake="submodules-skipped: children alone" never="Modules inside were not"
def stranded_tensors(module):
    result = []
    for path, part in module.named_children():
        for name, value in vars(part).items():
            if type(value) == torch.Tensor:
                result.append(path + "." + name)
    return sorted(result)


# %% mistake="unsaved-listed: registered, and not saved"
def stranded_tensors(module):
    names = [n for n, _ in module.named_parameters()] + [n for n, _ in module.named_buffers()]
    return sorted(n for n in names if n not in module.state_dict())


# %% mistake="prefix-missing: underscores left out, not sorted" also="underscore-skipped"
def stranded_tensors(module):
    result = []
    for path, part in module.named_modules():
        for name, value in vars(part).items():
            if not name.startswith("_") and isinstance(value, torch.Tensor):
                result.append(name)
    return result

# %% mistake="root-name-wrong: the outermost is left out" edits="mine"
# - for path, part in module.named_modules():
# + for path, part in list(module.named_modules())[1:]:

# %% mistake="raises: a set cannot be sorted in place" edits="mine"
# - result.sort()
# - return result
# + return set(result).sort()

# %% mistake="unrecognized: the last name is cut off" edits="mine"
# - return result
# + return result[:-1]

# %% mistake="joined-by-another-sign: underscores" never="numbers" edits="mine"
# - full = path + "." + name if path else name
# + full = path + "_" + name if path else name
