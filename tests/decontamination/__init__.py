"""Training documents and items of benchmarks with planted copies."""
