"""The same Parquet files read and written by pyarrow alone, several at once: what nobody undercuts.

PYTHON parquet_copy.py SOURCE OUT
"""

import os
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from pyarrow import parquet


def copy(source: Path, out: Path) -> None:
    file = parquet.ParquetFile(source)
    chunks = file.metadata.row_group(0)
    columns = [chunks.column(at) for at in range(chunks.num_columns)]
    with parquet.ParquetWriter(
        out,
        file.schema_arrow,
        compression={column.path_in_schema: column.compression for column in columns},
        # Texts do not repeat: to look for repetitions would only take longer.
        use_dictionary=[
            column.path_in_schema
            for column in columns
            if column.has_dictionary_page
            and column.total_uncompressed_size <= 32 * column.num_values
        ],
    ) as writer:
        for group in range(file.num_row_groups):
            writer.write_table(file.read_row_group(group, use_threads=False))


def main() -> None:
    source, out = map(Path, sys.argv[1:3])
    out.mkdir(parents=True)
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for done in [pool.submit(copy, file, out / file.name) for file in sorted(source.iterdir())]:
            done.result()


if __name__ == "__main__":
    main()
