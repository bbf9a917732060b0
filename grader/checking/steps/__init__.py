"""How far a wrong answer is right: what it computes, step by step, beside the steps of a right one."""
