"""What makes generated files and the documents of tests and benchmarks."""
