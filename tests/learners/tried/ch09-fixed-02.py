# %% setup
import torch

# %% mistake="key-not-transposed: the query turned"
def fixed_02(query, key):
    return query.T @ key

# %% mistake="elementwise-product: number by number"
def fixed_02(query, key):
    return query * key

# %% mistake="result-transposed"
def fixed_02(query, key):
    return key @ query.T

# %% mistake="scale-unexpected"
def fixed_02(query, key):
    return query @ key.T / query.shape[-1] ** 0.5
