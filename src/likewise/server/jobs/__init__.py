"""Work that requests wait for: queues, threads, batched queries and writes."""
