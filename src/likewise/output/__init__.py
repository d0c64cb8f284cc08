"""What people and programs read: tables, csv, jsonl, parquet and plots."""
