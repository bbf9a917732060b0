# %% setup

# %% mistake="raises: a list of lists is stacked" says="type of its first item" never="plain numbers? |are no tensors any more"
import torch


def pairwise_dots(a, b):
    rows = []
    for x in a:
        row = []
        for y in b:
            row.append(torch.dot(x, y))
        rows.append(row)
    return torch.stack(rows)
