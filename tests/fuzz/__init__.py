"""Fuzzing: bad inputs by the thousand, each made from a seed, through the code that users reach.

::

    python -m tests.fuzz csv zip --inputs 100000 --seed 7   # two kinds of input; all without a name
    python -m tests.fuzz csv --seed 7 --only 4711           # one input again, with its traceback
    python -m tests.fuzz csv -o benchmarks/results/fuzz.json   # add the run to the results

A kind of input is a function `(rng: random.Random) -> Outcome` and a line in `kinds.KINDS`. The
function makes one input from `rng`, and from nothing else, gives it to the code under test and
returns "ok" if it was accepted or "clear error" if it was refused with a reason. It may also raise:

- `LikewiseError`: counts as a clear error;
- `LostError`: something is neither in the result nor listed as skipped, a silent loss;
- anything else: a traceback.

Inputs run many to a process. If the process dies at one, that is a crash; if it has not finished
one after `HANG_SECONDS`, a hang; and another process goes on with the next input. A process keeps
what a kind prepares once (`functools.cache`), such as a server. Its memory is limited to
`Kind.memory`, and its peak is recorded.

Tests run a few hundred inputs of each kind: `run(KINDS["csv"], 300).findings` must be empty.
"""
