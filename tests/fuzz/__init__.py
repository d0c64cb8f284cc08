"""Fuzzing: bad inputs by the thousand, each from a seed, through the code that users reach.

::

    python -m tests.fuzz --inputs 2000 --seed 7              # every kind of input
    python -m tests.fuzz --kind csv --inputs 100000
    python -m tests.fuzz --kind csv --seed 7 --only 4711     # one input again, with its traceback

`kinds.KINDS` lists the kinds of input. The tests beside run a few hundred of each.
"""
