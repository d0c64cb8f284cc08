"""Results of the experiments: words, tables, rows and plots."""
