"""Training documents that contain items of benchmarks: found, and dropped, cut or annotated."""
