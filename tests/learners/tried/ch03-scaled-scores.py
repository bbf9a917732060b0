# %% setup

# %% mistake="unrecognized: the fifth power for a half" never="whatever comes in|hard-coded"
def scaled_scores(query, key):
    return query @ key.transpose(-2, -1) / key.shape[-1] ** 5
