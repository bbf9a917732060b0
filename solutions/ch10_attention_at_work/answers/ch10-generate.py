# %% setup
import torch
import torch.nn.functional as F


# %% correct="textbook"
def generate(model, ids, num_new, context_length):
    for _ in range(num_new):
        window = ids[:, -context_length:]
        with torch.no_grad():
            logits = model(window)
        logits = logits[:, -1, :]
        next_id = torch.argmax(logits, dim=-1, keepdim=True)
        ids = torch.cat((ids, next_id), dim=1)
    return ids


# %% correct="a decorator, softmax first"
@torch.no_grad()
def generate(model, ids, num_new, context_length):
    new = ids
    while new.shape[1] < ids.shape[1] + num_new:
        start = max(0, new.shape[1] - context_length)
        shares = torch.softmax(model(new[:, start:])[:, -1].double(), dim=-1)
        best = shares.max(dim=-1).indices
        new = torch.hstack([new, best[:, None]])
    return new


# %% correct="filled in, mode put back"
def generate(model, ids, num_new, context_length):
    b, T = ids.shape
    result = torch.zeros(b, T + num_new, dtype=ids.dtype, device=ids.device)
    result[:, :T] = ids
    training = {part: part.training for part in model.modules()}
    model.eval()
    with torch.inference_mode():
        for end in range(T, T + num_new):
            seen = result[:, max(0, end - context_length) : end]
            result[:, end] = model(seen)[:, -1].argmax(1)
    for part, mode in training.items():
        part.training = mode
    return result


# %% correct="text by text, in Python lists"
def generate(model, ids, num_new, context_length):
    texts = ids.tolist()
    with torch.no_grad():
        for text in texts:
            for _ in range(num_new):
                window = torch.tensor([text[-context_length:]], device=ids.device)
                logits = model(window)[0, -1].tolist()
                text.append(logits.index(max(logits)))
    return torch.tensor(texts, device=ids.device)


# %% correct="by recursion"
@torch.inference_mode()
def generate(model, ids, num_new, context_length):
    if num_new == 0:
        return ids
    window = ids if ids.size(1) <= context_length else ids[:, -context_length:]
    following = model(window)[:, [-1]].argmax(dim=-1)
    return generate(model, torch.cat([ids, following], -1), num_new - 1, context_length)


# %% correct="prints" edits="textbook"
# - logits = logits[:, -1, :]
# + print("logits", logits.shape)
# + logits = logits[:, -1, :]

# %% mistake="crop-missing" also="raises" edits="textbook"
# - window = ids[:, -context_length:]
# + window = ids

# %% mistake="crop-missing: only before the loop" also="raises" edits="textbook"
# - for _ in range(num_new):
# -     window = ids[:, -context_length:]
# + window = ids[:, -context_length:]
# + for _ in range(num_new):
# - ids = torch.cat((ids, next_id), dim=1)
# + ids = torch.cat((ids, next_id), dim=1)
# + window = torch.cat((window, next_id), dim=1)

# %% mistake="crop-keeps-first" edits="textbook"
# - window = ids[:, -context_length:]
# + window = ids[:, :context_length]

# %% mistake="crop-too-short: one id" edits="textbook"
# - window = ids[:, -context_length:]
# + window = ids[:, -1:]

# %% mistake="crop-too-short: one less than there is room for" edits="textbook"
# - window = ids[:, -context_length:]
# + window = ids[:, -(context_length - 1) :] if context_length > 1 else ids[:, :0]

# %% mistake="wrong-position: the newest id is not shown" edits="textbook"
# - window = ids[:, -context_length:]
# + window = ids[:, -context_length:-1]

# %% mistake="all-at-once: the first window for ever" edits="textbook"
# - for _ in range(num_new):
# -     window = ids[:, -context_length:]
# + window = ids[:, -context_length:]
# + for _ in range(num_new):

# %% mistake="crop-wrong-axis" also="raises" edits="textbook"
# - window = ids[:, -context_length:]
# + window = ids[-context_length:]

# %% mistake="prompt-missing" also="wrong-shape" edits="textbook"
# - for _ in range(num_new):
# + start = ids.shape[1]
# + for _ in range(num_new):
# - return ids
# + return ids[:, start:]

# %% mistake="prompt-missing: cropped away" also="wrong-shape" edits="textbook"
# - window = ids[:, -context_length:]
# + window = ids = ids[:, -context_length:]

# %% mistake="prompt-missing: the last window" also="wrong-shape" edits="textbook"
# - return ids
# + return ids[:, -context_length:]

# %% mistake="wrong-position: the first" edits="textbook"
# - logits = logits[:, -1, :]
# + logits = logits[:, 0, :]

# %% mistake="wrong-position: the last but one" edits="textbook"
# - logits = logits[:, -1, :]
# + logits = logits[:, -2, :]

# %% mistake="wrong-position: the mean of all" edits="textbook"
# - logits = logits[:, -1, :]
# + logits = logits.mean(dim=1)

# %% mistake="wrong-position: the largest anywhere" edits="textbook"
# - logits = logits[:, -1, :]
# + logits = logits.amax(dim=1)

# %% mistake="wrong-position: the length that is asked for" also="raises" edits="textbook"
# - logits = logits[:, -1, :]
# + logits = logits[:, context_length - 1, :]

# %% mistake="sampled" edits="textbook"
# - next_id = torch.argmax(logits, dim=-1, keepdim=True)
# + next_id = torch.multinomial(torch.softmax(logits, dim=-1), 1)

# %% mistake="not-always-the-largest: through exponentials" edits="textbook"
# - next_id = torch.argmax(logits, dim=-1, keepdim=True)
# + powers = torch.exp(logits)
# + next_id = torch.argmax(powers / powers.sum(dim=-1, keepdim=True), dim=-1, keepdim=True)

# %% mistake="raises: a model without parameters" edits="textbook"
# - for _ in range(num_new):
# + ids = ids.to(next(model.parameters()).device)
# + for _ in range(num_new):

# %% mistake="smallest-chosen" edits="textbook"
# - next_id = torch.argmax(logits, dim=-1, keepdim=True)
# + next_id = torch.argmin(logits, dim=-1, keepdim=True)

# %% mistake="last-of-equals" edits="textbook"
# - next_id = torch.argmax(logits, dim=-1, keepdim=True)
# + next_id = logits.shape[-1] - 1 - torch.argmax(logits.flip(-1), dim=-1, keepdim=True)

# %% mistake="last-of-equals: the last of a sorted row" edits="textbook"
# - next_id = torch.argmax(logits, dim=-1, keepdim=True)
# + next_id = torch.sort(logits, dim=-1, stable=True).indices[:, -1:]

# %% mistake="single-item-only: one id of all logits" also="raises" edits="textbook"
# - next_id = torch.argmax(logits, dim=-1, keepdim=True)
# + next_id = torch.argmax(logits).view(1, 1)

# %% mistake="batch-leak: the first text's id for all" edits="textbook"
# - next_id = torch.argmax(logits, dim=-1, keepdim=True)
# + next_id = torch.argmax(logits, dim=-1, keepdim=True)[:1].expand(len(ids), 1)

# %% mistake="appended-in-front" edits="textbook"
# - ids = torch.cat((ids, next_id), dim=1)
# + ids = torch.cat((next_id, ids), dim=1)

# %% mistake="all-at-once" edits="textbook"
# - for _ in range(num_new):
# -     window = ids[:, -context_length:]
# + for _ in range(min(1, num_new)):
# +     window = ids[:, -context_length:]
# - ids = torch.cat((ids, next_id), dim=1)
# + ids = torch.cat((ids, next_id.expand(-1, num_new)), dim=1)

# %% mistake="ids-miscounted: one new id only" also="wrong-shape" edits="textbook"
# - ids = torch.cat((ids, next_id), dim=1)
# - return ids
# + result = torch.cat((ids, next_id), dim=1)
# + return result if num_new else ids

# %% mistake="ids-miscounted: one id too many" also="wrong-shape" edits="textbook"
# - for _ in range(num_new):
# + for _ in range(num_new + 1):

# %% mistake="ids-miscounted: one id too few" also="wrong-shape" edits="textbook"
# - for _ in range(num_new):
# + for _ in range(num_new - 1):

# %% mistake="ids-miscounted: so many ids in all" also="wrong-shape" edits="a decorator, softmax first"
# - while new.shape[1] < ids.shape[1] + num_new:
# + while new.shape[1] < num_new:

# %% mistake="gradient-tracked" edits="textbook"
# - with torch.no_grad():
# -     logits = model(window)
# + logits = model(window)

# %% mistake="gradient-tracked: detached afterwards" edits="textbook"
# - with torch.no_grad():
# -     logits = model(window)
# + logits = model(window).detach()

# %% mistake="gradient-tracked: only around the argmax" edits="textbook"
# - with torch.no_grad():
# -     logits = model(window)
# + logits = model(window)
# - next_id = torch.argmax(logits, dim=-1, keepdim=True)
# + with torch.no_grad():
# +     next_id = torch.argmax(logits, dim=-1, keepdim=True)

# %% mistake="mode-changed" edits="filled in, mode put back"
# - for part, mode in training.items():
# -     part.training = mode

# %% mistake="mode-changed: always train() afterwards" edits="filled in, mode put back"
# - for part, mode in training.items():
# -     part.training = mode
# + model.train()

# %% mistake="mode-changed: of the whole alone" edits="filled in, mode put back"
# - training = {part: part.training for part in model.modules()}
# + training = model.training
# - for part, mode in training.items():
# -     part.training = mode
# + model.train(training)

# %% mistake="module-changed: a hook left on it" edits="textbook"
# - for _ in range(num_new):
# + model.register_forward_hook(lambda *_: None)
# + for _ in range(num_new):

# %% mistake="raises: takes parameters for granted" edits="textbook"
# - for _ in range(num_new):
# + ids = ids.to(next(model.parameters()).device)
# + for _ in range(num_new):

# %% mistake="input-modified: the weights" edits="textbook"
# - for _ in range(num_new):
# + with torch.no_grad():
# +     next(model.parameters()).mul_(2)
# + for _ in range(num_new):

# %% mistake="input-modified: a window that moves on" edits="text by text, in Python lists"
# - return torch.tensor(texts, device=ids.device)
# + result = torch.tensor(texts, device=ids.device)
# + ids[:, :-1] = ids[:, 1:].clone()
# + ids[:, -1] = result[:, -1]
# + return result

# %% mistake="wrong-dtype" edits="filled in, mode put back"
# - result = torch.zeros(b, T + num_new, dtype=ids.dtype, device=ids.device)
# + result = torch.zeros(b, T + num_new, dtype=torch.int32, device=ids.device)

# %% mistake="raises: ids as floats" edits="filled in, mode put back"
# - result = torch.zeros(b, T + num_new, dtype=ids.dtype, device=ids.device)
# + result = torch.zeros(b, T + num_new, device=ids.device)

# %% mistake="raises: argmax without keepdim" edits="textbook"
# - next_id = torch.argmax(logits, dim=-1, keepdim=True)
# + next_id = torch.argmax(logits, dim=-1)

# %% mistake="wrong-dtype: a text of logits" edits="textbook"
# - ids = torch.cat((ids, next_id), dim=1)
# + ids = torch.cat((ids, logits.max(dim=-1, keepdim=True).values), dim=1)

# %% mistake="wrong-type: a list" edits="text by text, in Python lists"
# - return torch.tensor(texts, device=ids.device)
# + return texts

# %% mistake="wrong-type: nothing returned" edits="textbook"
# - return ids
# + pass

# %% mistake="unrecognized: the second largest" edits="textbook"
# - next_id = torch.argmax(logits, dim=-1, keepdim=True)
# + next_id = logits.topk(2, dim=-1).indices[:, 1:]

# %% mistake="largest-in-size" edits="textbook"
# - next_id = torch.argmax(logits, dim=-1, keepdim=True)
# + next_id = torch.argmax(logits.abs(), dim=-1, keepdim=True)

# %% mistake="unrecognized: in reverse" edits="textbook"
# - logits = model(window)
# + logits = model(window.flip(1))

# %% mistake="not-implemented" edits="textbook"
# - for _ in range(num_new):
# + raise NotImplementedError("Write your answer here, then delete this line.")
# + for _ in range(num_new):

# %% mistake="not-defined" edits="textbook"
# - def generate(model, ids, num_new, context_length):
# + def write(model, ids, num_new, context_length):

# %% mistake="syntax-error" edits="textbook"
# - for _ in range(num_new):
# + for _ in range(num_new)

# %% mistake="too-slow" edits="a decorator, softmax first"
# - new = torch.hstack([new, best[:, None]])
# + new = torch.hstack([new, best[:, None]])[:, 1:]


# %% correct="one step a line"
def generate(model, ids, num_new, context_length):
    for _ in range(num_new):
        window = ids[:, -context_length:]
        with torch.no_grad():
            logits = model(window)
        last = logits[:, -1]
        next_id = last.argmax(dim=-1)
        column = next_id[:, None]
        ids = torch.cat((ids, column), dim=1)
    return ids


# %% mistake="crop-keeps-first: step by step" edits="one step a line"
# - window = ids[:, -context_length:]
# + window = ids[:, :context_length]

# %% mistake="crop-too-short: one less, step by step, everything at 1" edits="one step a line"
# - window = ids[:, -context_length:]
# + window = ids[:, -context_length + 1 :]

# %% mistake="crop-too-short: one id, step by step" edits="one step a line"
# - window = ids[:, -context_length:]
# + window = ids[:, -1:]

# %% mistake="crop-missing: step by step" also="raises" edits="one step a line"
# - window = ids[:, -context_length:]
# + window = ids

# %% mistake="all-at-once: the first window for ever, step by step" edits="one step a line"
# - for _ in range(num_new):
# - window = ids[:, -context_length:]
# + window = ids[:, -context_length:]
# + for _ in range(num_new):

# %% mistake="prompt-missing: collected, step by step" also="wrong-shape" edits="one step a line"
# - for _ in range(num_new):
# - window = ids[:, -context_length:]
# + new = []
# + for _ in range(num_new):
# +     window = ids[:, -context_length:]
# - ids = torch.cat((ids, column), dim=1)
# + new.append(column)
# + ids = torch.cat((ids, column), dim=1)
# - return ids
# + return torch.cat(new, dim=1)

# %% mistake="prompt-missing: cropped away, step by step" also="wrong-shape" edits="one step a line"
# - window = ids[:, -context_length:]
# + window = ids = ids[:, -context_length:]

# %% mistake="wrong-position: the first, step by step" edits="one step a line"
# - last = logits[:, -1]
# + last = logits[:, 0]

# %% mistake="wrong-position: the last but one, step by step" edits="one step a line"
# - last = logits[:, -1]
# + last = logits[:, -2]

# %% mistake="wrong-position: the mean of all, step by step" edits="one step a line"
# - last = logits[:, -1]
# + last = logits.mean(dim=1)

# %% mistake="smallest-chosen: step by step" edits="one step a line"
# - next_id = last.argmax(dim=-1)
# + next_id = last.argmin(dim=-1)

# %% mistake="last-of-equals: step by step" edits="one step a line"
# - next_id = last.argmax(dim=-1)
# + next_id = last.shape[-1] - 1 - last.flip(-1).argmax(dim=-1)

# %% mistake="sampled: step by step" edits="one step a line"
# - next_id = last.argmax(dim=-1)
# + next_id = torch.multinomial(last.softmax(dim=-1), 1)[:, 0]

# %% mistake="largest-wrong-axis: among the texts" edits="one step a line"
# - next_id = last.argmax(dim=-1)
# + next_id = last.argmax(dim=0)[: len(ids)]

# %% mistake="largest-wrong-axis: among the positions" edits="one step a line"
# - last = logits[:, -1]
# - next_id = last.argmax(dim=-1)
# + next_id = logits.argmax(dim=1)[:, -1]

# %% mistake="batch-leak: the first text's id for all, step by step" edits="one step a line"
# - column = next_id[:, None]
# + column = next_id[:1].expand(len(ids), 1)

# %% mistake="appended-in-front: step by step" edits="one step a line"
# - ids = torch.cat((ids, column), dim=1)
# + ids = torch.cat((column, ids), dim=1)

# %% mistake="largest-wrong-axis: axis 1 of all logits" also="wrong-shape" edits="textbook"
# - logits = logits[:, -1, :]
# - next_id = torch.argmax(logits, dim=-1, keepdim=True)
# + next_id = torch.argmax(logits, dim=1)

# %% mistake="largest-wrong-axis: axis 1 of the last alone" also="wrong-shape" edits="textbook"
# - logits = logits[:, -1, :]
# - next_id = torch.argmax(logits, dim=-1, keepdim=True)
# + next_id = torch.argmax(logits[:, -1:], dim=1)

# %% mistake="wrong-position: of all, all appended" also="wrong-shape" edits="textbook"
# - logits = logits[:, -1, :]
# - next_id = torch.argmax(logits, dim=-1, keepdim=True)
# + next_id = torch.argmax(logits, dim=-1)


# %% mistake="all-at-once: a single call" also="wrong-shape"
def generate(model, ids, num_new, context_length):
    with torch.no_grad():
        logits = model(ids[:, -context_length:])
    return torch.cat((ids, logits[:, -num_new:].argmax(dim=-1)), dim=1)


# %% mistake="largest-wrong-axis: axis 0 of the last" also="wrong-shape" edits="textbook"
# - next_id = torch.argmax(logits, dim=-1, keepdim=True)
# + next_id = torch.argmax(logits, dim=0, keepdim=True)


# %% mistake="all-at-once: the best ones of one call"
def generate(model, ids, num_new, context_length):
    with torch.no_grad():
        logits = model(ids[:, -context_length:])
    return torch.cat((ids, logits[:, -1].topk(num_new).indices), dim=1)


# %% mistake="batch-leak: the largest of all texts, for all" also="raises" edits="textbook"
# - next_id = torch.argmax(logits, dim=-1, keepdim=True)
# + next_id = torch.argmax(logits).expand(len(ids), 1)

# %% mistake="prompt-missing: the new ones, collected" also="wrong-shape" edits="textbook"
# - for _ in range(num_new):
# + new = []
# + for _ in range(num_new):
# - ids = torch.cat((ids, next_id), dim=1)
# + new.append(next_id)
# + ids = torch.cat((ids, next_id), dim=1)
# - return ids
# + return torch.cat(new, dim=1)


# %% correct="logit by logit"
def generate(model, ids, num_new, context_length):
    for _ in range(num_new):
        with torch.no_grad():
            last = model(ids[:, -context_length:])[:, -1]
        column = torch.zeros(len(ids), 1, dtype=ids.dtype, device=ids.device)
        for text in range(len(ids)):
            best = 0
            for token in range(last.shape[1]):
                if last[text, token] > last[text, best]:
                    best = token
            column[text, 0] = best
        ids = torch.cat((ids, column), dim=1)
    return ids


# %% mistake="ids-miscounted: one too few, step by step" also="wrong-shape" edits="one step a line"
# - for _ in range(num_new):
# + for _ in range(num_new - 1):

# %% mistake="ids-miscounted: one too many, step by step" also="wrong-shape" edits="one step a line"
# - for _ in range(num_new):
# + for _ in range(num_new + 1):

# %% mistake="ids-miscounted: one alone, step by step" also="wrong-shape" edits="one step a line"
# - return ids
# +     return ids

# %% mistake="ids-miscounted: so many in all, step by step" also="wrong-shape" edits="one step a line"
# - for _ in range(num_new):
# + for _ in range(num_new - ids.shape[1]):

# %% mistake="batch-leak: the last text's id for all, step by step" edits="one step a line"
# - column = next_id[:, None]
# + column = next_id[-1:].expand(len(ids), 1)

# %% mistake="prompt-missing: cropped at the end of a round, step" also="wrong-shape" edits="one step a line"
# - ids = torch.cat((ids, column), dim=1)
# + ids = torch.cat((ids, column), dim=1)[:, -context_length:]

# %% mistake="prompt-missing: the new ones, step by step" also="wrong-shape" edits="one step a line"
# - for _ in range(num_new):
# - window = ids[:, -context_length:]
# + given = ids.shape[1]
# + for _ in range(num_new):
# +     window = ids[:, -context_length:]
# - return ids
# + return ids[:, given:]

# %% mistake="crop-too-short: one less, step by step" edits="one step a line"
# - window = ids[:, -context_length:]
# + window = ids[:, -(context_length - 1) :] if context_length > 1 else ids[:, -1:]

# %% mistake="not-always-the-largest: through exponentials, step by step" edits="one step a line"
# - next_id = last.argmax(dim=-1)
# + next_id = last.exp().argmax(dim=-1)

# %% mistake="not-always-the-largest: from 0 on, step by step" edits="one step a line"
# - next_id = last.argmax(dim=-1)
# + next_id = last.clamp(min=0).argmax(dim=-1)

# %% mistake="largest-in-size: step by step" edits="one step a line"
# - next_id = last.argmax(dim=-1)
# + next_id = last.abs().argmax(dim=-1)

# %% mistake="wrong-position: all texts of the first position, step by step" edits="one step a line"
# - last = logits[:, -1]
# + last = logits[:, 1 if logits.shape[1] > 1 else 0]

# %% mistake="single-item-only: the first text's id" also="raises" edits="textbook"
# - logits = logits[:, -1, :]
# - next_id = torch.argmax(logits, dim=-1, keepdim=True)
# + next_id = torch.argmax(logits[0, -1]).view(1, 1)

# %% mistake="single-item-only: the last text's id" also="raises" edits="textbook"
# - logits = logits[:, -1, :]
# - next_id = torch.argmax(logits, dim=-1, keepdim=True)
# + next_id = torch.argmax(logits[-1, -1]).view(1, 1)

# %% mistake="single-item-only: the first text's alone comes back" also="wrong-shape" edits="textbook"
# - for _ in range(num_new):
# + ids = ids[:1]
# + for _ in range(num_new):

# %% mistake="crop-wrong-axis: step by step" also="raises" edits="one step a line"
# - window = ids[:, -context_length:]
# + window = ids[-context_length:]

# %% mistake="crop-wrong-axis: the first" also="raises" edits="textbook"
# - window = ids[:, -context_length:]
# + window = ids[:context_length]

# %% mistake="value-not-place" edits="textbook"
# - next_id = torch.argmax(logits, dim=-1, keepdim=True)
# + next_id = torch.amax(logits, dim=-1, keepdim=True).long()

# %% mistake="value-not-place: rounded" edits="textbook"
# - next_id = torch.argmax(logits, dim=-1, keepdim=True)
# + next_id = torch.amax(logits, dim=-1, keepdim=True).round().long()

# %% mistake="value-not-place: of their shares" edits="textbook"
# - next_id = torch.argmax(logits, dim=-1, keepdim=True)
# + next_id = torch.softmax(logits, dim=-1).amax(dim=-1, keepdim=True).long()

# %% mistake="prompt-missing: the last num_new" also="wrong-shape" edits="textbook"
# - return ids
# + return ids[:, -num_new:]
