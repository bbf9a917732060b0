# %% setup

# %% mistake="key-not-transposed: a product of matrices that do not fit" says="It raised RuntimeError" never="number by number"
def scores_for_query(query, inputs):
    return inputs.T @ query
