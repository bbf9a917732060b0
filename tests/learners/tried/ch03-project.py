# %% setup

# %% mistake="weight-not-transposed: the weights are transposed" never="nn.Linear"
def project(inputs, W_query, W_key, W_value):
    return inputs @ W_query.T, inputs @ W_key.T, inputs @ W_value.T
