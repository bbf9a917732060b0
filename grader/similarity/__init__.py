"""Which answers of a class are alike beyond what all have in common: an aid for a person, no judgement."""
