# %% setup
import copy

import torch
from torch import nn


# %% correct="textbook"
def stranded_tensors(module):
    names = []
    for prefix, part in module.named_modules():
        for name, value in vars(part).items():
            if isinstance(value, torch.Tensor):
                names.append(f"{prefix}.{name}" if prefix else name)
    return sorted(names)


# %% correct="one expression"
def stranded_tensors(module):
    return sorted(
        ".".join(filter(None, (prefix, name)))
        for prefix, part in module.named_modules()
        for name, value in part.__dict__.items()
        if torch.is_tensor(value)
    )


# %% correct="a function that calls itself"
def stranded_tensors(module, prefix=""):
    names = [prefix + name for name, value in module.__dict__.items() if isinstance(value, torch.Tensor)]
    for name, child in module.named_children():
        names += stranded_tensors(child, prefix + name + ".")
    names.sort()
    return names


# %% correct="a copy is moved"
def stranded_tensors(module):
    moved = copy.deepcopy(module).to("meta")
    names = []
    for path, part in moved.named_modules():
        for name in list(part.__dict__):
            value = getattr(part, name)
            if isinstance(value, torch.Tensor) and value.device.type != "meta":
                names.append((path + "." + name).lstrip("."))
    return sorted(names)


# %% correct="everything that is a tensor, less what is registered"
def stranded_tensors(module):
    found = set()
    for prefix, part in module.named_modules():
        for name in dir(part):
            if isinstance(getattr(part, name, None), torch.Tensor):
                found.add(f"{prefix}.{name}" if prefix else name)
    found -= {name for name, _ in module.named_parameters()}
    found -= {name for name, _ in module.named_buffers()}
    return sorted(found)


# %% correct="a stack of modules"
def stranded_tensors(module):
    names, waiting = [], [("", module)]
    while waiting:
        prefix, part = waiting.pop()
        for name, value in vars(part).items():
            if isinstance(value, torch.Tensor):
                names.append(prefix + name)
        waiting.extend((f"{prefix}{name}.", child) for name, child in part.named_children())
    return sorted(names)


# %% mistake="submodules-skipped" edits="textbook"
# - for prefix, part in module.named_modules():
# + for prefix, part in [("", module)]:

# %% mistake="submodules-skipped: children alone" edits="textbook"
# - for prefix, part in module.named_modules():
# + for prefix, part in module.named_children():

# %% mistake="submodules-skipped: one level deep" edits="textbook"
# - for prefix, part in module.named_modules():
# + for prefix, part in [("", module), *module.named_children()]:

# %% mistake="submodules-skipped: and a dot in front" edits="textbook"
# - for prefix, part in module.named_modules():
# + for prefix, part in module.named_children():
# - names.append(f"{prefix}.{name}" if prefix else name)
# + names.append(name)

# %% mistake="prefix-missing" edits="textbook"
# - names.append(f"{prefix}.{name}" if prefix else name)
# + names.append(name)

# %% mistake="prefix-missing: each name once" edits="textbook"
# - names.append(f"{prefix}.{name}" if prefix else name)
# + names.append(name)
# - return sorted(names)
# + return sorted(set(names))

# %% mistake="prefix-missing: modules() has none" edits="textbook"
# - for prefix, part in module.named_modules():
# + for part in module.modules():
# - names.append(f"{prefix}.{name}" if prefix else name)
# + names.append(name)

# %% mistake="prefix-missing: the last module alone" edits="textbook"
# - names.append(f"{prefix}.{name}" if prefix else name)
# + names.append(f"{prefix.split('.')[-1]}.{name}" if prefix else name)

# %% mistake="root-name-wrong" edits="textbook"
# - names.append(f"{prefix}.{name}" if prefix else name)
# + names.append(f"{prefix}.{name}")

# %% mistake="root-name-wrong: the outermost is left out" edits="textbook"
# - names.append(f"{prefix}.{name}" if prefix else name)
# + if prefix:
# +     names.append(f"{prefix}.{name}")

# %% mistake="joined-by-another-sign" edits="textbook"
# - names.append(f"{prefix}.{name}" if prefix else name)
# + names.append(f"{prefix}_{name}" if prefix else name)

# %% mistake="moving-listed: all tensors" edits="textbook"
# - for name, value in vars(part).items():
# + for name, value in {**vars(part), **part._parameters, **part._buffers}.items():

# %% mistake="moving-listed: buffers as well" edits="textbook"
# - for name, value in vars(part).items():
# + for name, value in {**vars(part), **part._buffers}.items():

# %% mistake="moving-listed: the buffers" edits="textbook"
# - for name, value in vars(part).items():
# + for name, value in part._buffers.items():

# %% mistake="moving-listed: parameters as well" edits="textbook"
# - for name, value in vars(part).items():
# + for name, value in {**vars(part), **part._parameters}.items():


# %% mistake="moving-listed: dir finds all"
def stranded_tensors(module):
    parameters = {name for name, _ in module.named_parameters()}
    names = []
    for prefix, part in module.named_modules():
        for name in dir(part):
            full = f"{prefix}.{name}" if prefix else name
            if isinstance(getattr(part, name, None), torch.Tensor) and full not in parameters:
                names.append(full)
    return sorted(names)


# %% mistake="moving-listed: what is registered"
def stranded_tensors(module):
    named = [*module.named_parameters(), *module.named_buffers()]
    return sorted(name for name, _ in named)


# %% mistake="moving-listed: the state_dict"
def stranded_tensors(module):
    return sorted(module.state_dict())


# %% mistake="unsaved-listed"
def stranded_tensors(module):
    saved = module.state_dict()
    names = []
    for prefix, part in module.named_modules():
        for name in dir(part):
            full = f"{prefix}.{name}" if prefix else name
            if isinstance(getattr(part, name, None), torch.Tensor) and full not in saved:
                names.append(full)
    return sorted(names)


# %% mistake="unsaved-listed: and nothing else"
def stranded_tensors(module):
    saved = module.state_dict()
    return sorted(name for name, _ in module.named_buffers() if name not in saved)


# %% mistake="names-unsorted" edits="textbook"
# - return sorted(names)
# + return names

# %% mistake="names-unsorted: backwards" edits="textbook"
# - return sorted(names)
# + return sorted(names, reverse=True)

# %% mistake="names-unsorted: the last part first" edits="textbook"
# - return sorted(names)
# + return sorted(names, key=lambda name: name.split(".")[-1])

# %% mistake="names-unsorted: a set" edits="textbook"
# - return sorted(names)
# + return sorted(sorted(names), key=len)

# %% mistake="wrong-type: a set" edits="textbook"
# - return sorted(names)
# + return set(names)

# %% mistake="wrong-type: nothing returned" edits="textbook"
# - return sorted(names)
# + names.sort()

# %% mistake="wrong-type: what sort returns" edits="textbook"
# - return sorted(names)
# + return names.sort()

# %% mistake="wrong-type: pairs" edits="textbook"
# - names.append(f"{prefix}.{name}" if prefix else name)
# + names.append((f"{prefix}.{name}" if prefix else name, value))
# - return sorted(names)
# + return sorted(names, key=lambda pair: pair[0])

# %% mistake="wrong-type: a tuple" edits="textbook"
# - return sorted(names)
# + return tuple(sorted(names))

# %% mistake="wrong-type: a generator" edits="textbook"
# - return sorted(names)
# + return (name for name in sorted(names))

# %% mistake="wrong-type: one text" edits="textbook"
# - return sorted(names)
# + return ", ".join(sorted(names))

# %% mistake="wrong-type: how many" edits="textbook"
# - return sorted(names)
# + return len(names)

# %% mistake="unrecognized: returned from inside the loop" edits="textbook"
# - names.append(f"{prefix}.{name}" if prefix else name)
# + return [f"{prefix}.{name}" if prefix else name]

# %% mistake="unrecognized: tensors of floating point alone" edits="textbook"
# - if isinstance(value, torch.Tensor):
# + if isinstance(value, torch.Tensor) and value.is_floating_point():

# %% mistake="underscore-skipped" edits="textbook"
# - if isinstance(value, torch.Tensor):
# + if isinstance(value, torch.Tensor) and not name.startswith("_"):

# %% mistake="underscore-skipped: private is what begins so" edits="a stack of modules"
# - for name, value in vars(part).items():
# + for name, value in vars(part).items():
# +     if name[0] == "_":
# +         continue

# %% mistake="tracked-skipped" edits="textbook"
# - if isinstance(value, torch.Tensor):
# + if isinstance(value, torch.Tensor) and not value.requires_grad:

# %% mistake="lists-listed" edits="textbook"
# - if isinstance(value, torch.Tensor):
# + if isinstance(value, torch.Tensor) or (isinstance(value, list) and isinstance(value[0], torch.Tensor)):

# %% mistake="unrecognized: only what is called mask" edits="textbook"
# - if isinstance(value, torch.Tensor):
# + if isinstance(value, torch.Tensor) and name == "mask":

# %% mistake="unrecognized: numbers as well" edits="textbook"
# - if isinstance(value, torch.Tensor):
# + if isinstance(value, torch.Tensor | int) and not isinstance(value, bool):

# %% mistake="nothing-listed: nothing" edits="textbook"
# - return sorted(names)
# + return []

# %% mistake="nothing-listed: nothing, the inner names are dictionaries" edits="textbook"
# - if isinstance(value, torch.Tensor):
# + if isinstance(name, torch.Tensor):

# %% mistake="unrecognized: each one twice" edits="textbook"
# - return sorted(names)
# + return sorted(names + names)


# %% mistake="module-moved"
def stranded_tensors(module):
    module.to("meta")
    names = []
    for prefix, part in module.named_modules():
        for name, value in vars(part).items():
            if isinstance(value, torch.Tensor):
                names.append(f"{prefix}.{name}" if prefix else name)
    return sorted(names)


# %% mistake="input-modified: mended at once" edits="textbook"
# - for name, value in vars(part).items():
# + for name, value in list(vars(part).items()):
# - names.append(f"{prefix}.{name}" if prefix else name)
# + names.append(f"{prefix}.{name}" if prefix else name)
# + delattr(part, name)
# + part.register_buffer(name, value)

# %% mistake="not-implemented" edits="textbook"
# - names = []
# + raise NotImplementedError("Write your answer here, then delete this line.")

# %% mistake="not-defined" edits="textbook"
# - def stranded_tensors(module):
# + def stranded(module):

# %% mistake="syntax-error" edits="textbook"
# - if isinstance(value, torch.Tensor):
# + if isinstance(value, torch.Tensor)

# %% mistake="raises" edits="textbook"
# - for name, value in vars(part).items():
# + for name, value in vars(part):

# %% mistake="raises: no such method" edits="textbook"
# - for prefix, part in module.named_modules():
# + for prefix, part in module.named_submodules():


# %% mistake="too-slow"
def stranded_tensors(module):
    while True:
        pass


# %% mistake="names-unsorted: capitals among small letters" edits="textbook"
# - return sorted(names)
# + return sorted(names, key=str.lower)

# %% mistake="names-unsorted: by length" edits="textbook"
# - return sorted(names)
# + return sorted(names, key=len)

# %% mistake="names-unsorted: underscores do not count" edits="textbook"
# - return sorted(names)
# + return sorted(names, key=lambda name: name.replace("_", ""))


# %% mistake="unrecognized: equal tensors once"
def stranded_tensors(module):
    found = {}
    for prefix, part in module.named_modules():
        for name, value in vars(part).items():
            seen = (
                (torch.equal(value, one) for one in found.values())
                if isinstance(value, torch.Tensor)
                else [True]
            )
            if not any(seen):
                found[f"{prefix}.{name}" if prefix else name] = value
    return sorted(found)


# %% mistake="unrecognized: three levels deep" edits="textbook"
# - for name, value in vars(part).items():
# + for name, value in vars(part).items() if prefix.count(".") < 3 else ():

# %% mistake="root-name-wrong: strip takes underscores, too" edits="textbook"
# - names.append(f"{prefix}.{name}" if prefix else name)
# + names.append(f"{prefix}.{name}".strip("._"))

# %% mistake="attributes-listed" edits="textbook"
# - if isinstance(value, torch.Tensor):
# + if name:

# %% mistake="attributes-listed: what is not None" edits="textbook"
# - if isinstance(value, torch.Tensor):
# + if value is not None:

# %% mistake="attributes-listed: what is no module and no parameter" edits="textbook"
# - if isinstance(value, torch.Tensor):
# + if not isinstance(value, (nn.Module, nn.Parameter)):

# %% mistake="lists-listed: what is in them" edits="textbook"
# - if isinstance(value, torch.Tensor):
# -     names.append(f"{prefix}.{name}" if prefix else name)
# + if isinstance(value, torch.Tensor):
# +     names.append(f"{prefix}.{name}" if prefix else name)
# + elif isinstance(value, list | tuple):
# +     names += [f"{prefix}.{name}.{i}".lstrip(".") for i, one in enumerate(value) if torch.is_tensor(one)]

# %% mistake="lists-listed: each list as often as it holds one" edits="textbook"
# - if isinstance(value, torch.Tensor):
# -     names.append(f"{prefix}.{name}" if prefix else name)
# + if isinstance(value, torch.Tensor):
# +     names.append(f"{prefix}.{name}" if prefix else name)
# + elif isinstance(value, list):
# +     names += [f"{prefix}.{name}".lstrip(".") for one in value if torch.is_tensor(one)]
