"""Find similar answers in a class, beyond what all have in common: an aid for a person, not a judgement."""
