"""`python -m likewise` is the `likewise` command."""

from likewise.cli.main import main

main()
