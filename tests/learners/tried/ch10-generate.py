# %% setup
import torch

# %% correct="mine"
def generate(model, ids, num_new, context_length):
    for _ in range(num_new):
        with torch.no_grad():
            logits = model(ids[:, -context_length:])
        last = logits[:, -1]
        next_id = last.argmax(dim=-1, keepdim=True)
        ids = torch.cat([ids, next_id], dim=1)
    return ids

# %% mistake="raises: the logits of all positions" edits="mine"
# - last = logits[:, -1]
# + last = logits

# %% mistake="wrong-position: of all, all appended" edits="mine"
# - last = logits[:, -1]
# - next_id = last.argmax(dim=-1, keepdim=True)
# + next_id = logits.argmax(dim=-1)

# %% mistake="largest-wrong-axis: axis 1 of all logits" edits="mine"
# - last = logits[:, -1]
# - next_id = last.argmax(dim=-1, keepdim=True)
# + next_id = logits.argmax(dim=1)

# %% mistake="largest-wrong-axis: axis 0 of the last" edits="mine"
# - next_id = last.argmax(dim=-1, keepdim=True)
# + next_id = last.argmax(dim=0, keepdim=True)

# %% mistake="raises: without keepdim" edits="mine"
# - next_id = last.argmax(dim=-1, keepdim=True)
# + next_id = last.argmax(dim=-1)

# %% mistake="crop-missing" edits="mine"
# - logits = model(ids[:, -context_length:])
# + logits = model(ids)

# %% mistake="crop-keeps-first" edits="mine"
# - logits = model(ids[:, -context_length:])
# + logits = model(ids[:, :context_length])

# %% mistake="prompt-missing: cropped" edits="mine"
# - logits = model(ids[:, -context_length:])
# + ids = ids[:, -context_length:]
# + logits = model(ids)

# %% mistake="gradient-tracked" edits="mine"
# - with torch.no_grad():
# -     logits = model(ids[:, -context_length:])
# + logits = model(ids[:, -context_length:])

# %% mistake="mode-changed: eval stays" edits="mine"
# - for _ in range(num_new):
# + model.eval()
# + for _ in range(num_new):

# %% mistake="mode-changed: train in the end" edits="mine"
# - for _ in range(num_new):
# + model.eval()
# + for _ in range(num_new):
# - return ids
# + model.train()
# + return ids

# %% mistake="prompt-missing: the new ones alone" edits="mine"
# - for _ in range(num_new):
# + length = ids.shape[1]
# + for _ in range(num_new):
# - return ids
# + return ids[:, length:]

# %% mistake="sampled" edits="mine"
# - next_id = last.argmax(dim=-1, keepdim=True)
# + next_id = torch.multinomial(last.softmax(dim=-1), num_samples=1)

# %% mistake="batch-leak: the first text only" edits="mine"
# - last = logits[:, -1]
# - next_id = last.argmax(dim=-1, keepdim=True)
# + last = logits[0, -1]
# + next_id = last.argmax().view(1, 1).expand(ids.shape[0], 1)

# %% mistake="all-at-once: one call"
def generate(model, ids, num_new, context_length):
    with torch.no_grad():
        logits = model(ids[:, -context_length:])
    new = logits[:, -num_new:].argmax(dim=-1)
    return torch.cat([ids, new], dim=1)

# %% mistake="appended-in-front" edits="mine"
# - ids = torch.cat([ids, next_id], dim=1)
# + ids = torch.cat([next_id, ids], dim=1)

# %% mistake="largest-wrong-axis: among the positions" edits="mine"
# - last = logits[:, -1]
# - next_id = last.argmax(dim=-1, keepdim=True)
# + next_id = logits.argmax(dim=1)[:, -1:]

# %% mistake="all-at-once: the window is kept" edits="mine"
# - for _ in range(num_new):
# + window = ids[:, -context_length:]
# + for _ in range(num_new):
# - logits = model(ids[:, -context_length:])
# + logits = model(window)

# %% mistake="ids-miscounted: return inside the loop" edits="mine"
# - return ids
# +     return ids

# %% mistake="wrong-position: the first, and the first ids shown" also="crop-keeps-first" edits="mine"
# - logits = model(ids[:, -context_length:])
# + logits = model(ids[:, :context_length])
# - last = logits[:, -1]
# + last = logits[:, 0]

# %% mistake="crop-too-short: one id, in front" also="appended-in-front" edits="mine"
# - logits = model(ids[:, -context_length:])
# + logits = model(ids[:, -1:])
# - ids = torch.cat([ids, next_id], dim=1)
# + ids = torch.cat([next_id, ids], dim=1)

# %% mistake="smallest-chosen: in front" also="appended-in-front" edits="mine"
# - next_id = last.argmax(dim=-1, keepdim=True)
# + next_id = last.argmin(dim=-1, keepdim=True)
# - ids = torch.cat([ids, next_id], dim=1)
# + ids = torch.cat([next_id, ids], dim=1)

# %% mistake="wrong-position: and the window kept" also="all-at-once" edits="mine"
# - for _ in range(num_new):
# + window = ids[:, -context_length:]
# + for _ in range(num_new):
# - logits = model(ids[:, -context_length:])
# + logits = model(window)
# - last = logits[:, -1]
# + last = logits[:, 0]

# %% mistake="all-at-once: the best ones of one call"
def generate(model, ids, num_new, context_length):
    with torch.no_grad():
        logits = model(ids[:, -context_length:])
        new = logits[:, -1].topk(num_new).indices
    return torch.cat([ids, new], dim=1)

# %% mistake="batch-leak: the largest of all" edits="mine"
# - next_id = last.argmax(dim=-1, keepdim=True)
# + next_id = last.argmax().expand(len(ids), 1)

# %% mistake="prompt-missing: collected in a list" edits="mine"
# - for _ in range(num_new):
# + new = []
# + for _ in range(num_new):
# - ids = torch.cat([ids, next_id], dim=1)
# + new.append(next_id)
# + ids = torch.cat([ids, next_id], dim=1)
# - return ids
# + return torch.cat(new, dim=1)

# %% correct="by hand"
def generate(model, ids, num_new, context_length):
    with torch.no_grad():
        for _ in range(num_new):
            last = model(ids[:, -context_length:])[:, -1]
            new = torch.zeros(len(ids), 1, dtype=ids.dtype)
            for b in range(len(ids)):
                best = 0
                for k in range(last.shape[1]):
                    if last[b, k] > last[b, best]:
                        best = k
                new[b, 0] = best
            ids = torch.cat([ids, new], dim=1)
    return ids

# %% mistake="last-of-equals: not smaller" edits="by hand"
# - if last[b, k] > last[b, best]:
# + if last[b, k] >= last[b, best]:

# %% mistake="last-left-out: the last id of the vocabulary" edits="by hand"
# - for k in range(last.shape[1]):
# + for k in range(last.shape[1] - 1):

# %% mistake="not-always-the-largest: from 0 on" edits="by hand"
# - best = 0
# - for k in range(last.shape[1]):
# - if last[b, k] > last[b, best]:
# - best = k
# + best, top = 0, 0
# + for k in range(last.shape[1]):
# +     if last[b, k] > top:
# +         best, top = k, last[b, k]

# %% mistake="not-always-the-largest: and the first ids shown" also="crop-keeps-first" edits="by hand"
# - last = model(ids[:, -context_length:])[:, -1]
# + last = model(ids[:, :context_length])[:, -1]
# - best = 0
# - for k in range(last.shape[1]):
# - if last[b, k] > last[b, best]:
# - best = k
# + best, top = 0, 0
# + for k in range(last.shape[1]):
# +     if last[b, k] > top:
# +         best, top = k, last[b, k]

# %% mistake="crop-keeps-first: and no no_grad" edits="mine"
# - with torch.no_grad():
# - logits = model(ids[:, -context_length:])
# + logits = model(ids[:, :context_length])

# %% mistake="prompt-missing: cropped at the end of each round" edits="mine"
# - logits = model(ids[:, -context_length:])
# + logits = model(ids)
# - ids = torch.cat([ids, next_id], dim=1)
# + ids = torch.cat([ids, next_id], dim=1)[:, -context_length:]

# %% mistake="prompt-missing: the new ones, of position 0" also="wrong-position wrong-shape" edits="mine"
# - for _ in range(num_new):
# + out = []
# + for _ in range(num_new):
# - last = logits[:, -1]
# + last = logits[:, 0]
# - ids = torch.cat([ids, next_id], dim=1)
# + ids = torch.cat([ids, next_id], dim=1)
# + out.append(next_id)
# - return ids
# + return torch.cat(out, dim=1)

# %% mistake="ids-miscounted: one too few, and eval stays" also="mode-changed wrong-shape" edits="mine"
# - for _ in range(num_new):
# + model.eval()
# + for _ in range(num_new - 1):

# %% mistake="crop-too-short: one less, and the last of equals" edits="mine"
# - logits = model(ids[:, -context_length:])
# + logits = model(ids[:, -context_length + 1 :])
# - next_id = last.argmax(dim=-1, keepdim=True)
# + next_id = last.shape[-1] - 1 - last.flip(-1).argmax(dim=-1, keepdim=True)

# %% mistake="batch-leak: the last text decides for all" edits="mine"
# - logits = model(ids[:, -context_length:])
# + logits = model(ids[-1:, -context_length:])
# - next_id = last.argmax(dim=-1, keepdim=True)
# + next_id = last.argmax(dim=-1).expand(len(ids), 1)

# %% mistake="ids-miscounted: num_new in all" also="wrong-shape" edits="mine"
# - for _ in range(num_new):
# + while ids.shape[1] < num_new:

# %% mistake="unrecognized: one call, in front, and the smallest"
def generate(model, ids, num_new, context_length):
    with torch.no_grad():
        logits = model(ids[:, -context_length:])
        for _ in range(num_new):
            new = logits[:, -1].argmin(dim=-1, keepdim=True)
            ids = torch.cat([new, ids], dim=1)
    return ids

# %% mistake="last-of-equals: and the first ids shown" also="crop-keeps-first" edits="mine"
# - logits = model(ids[:, -context_length:])
# + logits = model(ids[:, :context_length])
# - next_id = last.argmax(dim=-1, keepdim=True)
# + next_id = last.sort(dim=-1, stable=True).indices[:, -1:]

# %% mistake="wrong-position: position 0, and the smallest" also="smallest-chosen" edits="mine"
# - last = logits[:, -1]
# - next_id = last.argmax(dim=-1, keepdim=True)
# + last = logits[:, 0]
# + next_id = last.argmin(dim=-1, keepdim=True)

# %% mistake="ids-miscounted: one too many" also="wrong-shape" edits="mine"
# - for _ in range(num_new):
# + for _ in range(num_new + 1):

# %% mistake="largest-in-size: with abs" edits="mine"
# - next_id = last.argmax(dim=-1, keepdim=True)
# + next_id = last.abs().argmax(dim=-1, keepdim=True)

# %% mistake="module-changed: frozen instead of no_grad" never="calls were recorded|was recorded for gradients" edits="mine"
# - for _ in range(num_new):
# -     with torch.no_grad():
# -         logits = model(ids[:, -context_length:])
# + for p in model.parameters():
# +     p.requires_grad_(False)
# + for _ in range(num_new):
# +     logits = model(ids[:, -context_length:])

# %% mistake="crop-wrong-axis: the last rows" also="raises" never="shown less than" edits="mine"
# - logits = model(ids[:, -context_length:])
# + logits = model(ids[-context_length:])

# %% mistake="single-item-only: one number for all" also="raises" never="get mixed" edits="mine"
# - last = logits[:, -1]
# - next_id = last.argmax(dim=-1, keepdim=True)
# + next_id = torch.tensor([[logits[0, -1].argmax().item()]])

# %% mistake="value-not-place: the logit itself" edits="mine"
# - next_id = last.argmax(dim=-1, keepdim=True)
# + next_id = last.max(dim=-1, keepdim=True)[0].long()

# %% mistake="mode-changed: eval, and never back" never="Who decides" edits="mine"
# - for _ in range(num_new):
# + model.eval()
# + for _ in range(num_new):

# %% mistake="raises: an axis that is not there" never="shown less|another position" says="How many axes" edits="mine"
# - next_id = last.argmax(dim=-1, keepdim=True)
# + next_id = last.argmax(dim=2, keepdim=True)

# %% mistake="raises: a plain number among tensors" never="first item of what the line puts together" says="one of the items" edits="mine"
# - ids = torch.cat([ids, next_id], dim=1)
# + ids = torch.cat([ids, next_id.tolist()], dim=1)

# %% mistake="raises: the model's device is asked of its parameters" says="next() found nothing to give" edits="mine"
# - for _ in range(num_new):
# + ids = ids.to(next(model.parameters()).device)
# + for _ in range(num_new):
