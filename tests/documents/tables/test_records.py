"""Where rows end."""

import io

import pyarrow as pa
import pyarrow.csv as arrow_csv
from hypothesis import given
from hypothesis import strategies as st

from likewise.documents.tables.records import cut_lines, cut_records

awkward_csv = st.text(st.sampled_from('ab,;"\r\n '), max_size=60).map(str.encode)


def slow_records(data, delimiter=b","):
    """Go through a file byte by byte; return its records, and whether the last one stays open."""
    records, record, quoted, start = [], b"", False, True
    at = 0
    while at < len(data):
        byte = data[at : at + 1]
        record += byte
        at += 1
        if quoted:
            if byte == b'"':
                if data[at : at + 1] == b'"':
                    record += b'"'
                    at += 1
                else:
                    quoted = False
        elif byte == b'"' and start:
            quoted, start = True, False
        elif byte == delimiter:
            start = True
        elif byte in (b"\r", b"\n"):
            if byte == b"\r" and data[at : at + 1] == b"\n":
                record += b"\n"
                at += 1
            records.append(record)
            record, start = b"", True
        else:
            start = False
    return records + [record] * bool(record), quoted


def cut_up(data, size):
    return (data[at : at + size] for at in range(0, len(data), size))


def all_rows(cuts):
    cuts = list(cuts)
    rows = []
    for cut in cuts:
        assert cut.ends[-1] == len(cut.data)
        rows += [cut.data[a:b] for a, b in zip(cut.starts.tolist(), cut.ends.tolist(), strict=True)]
    return rows, bool(cuts) and cuts[-1].open


@given(awkward_csv, st.integers(1, 70))
def test_records_end_where_they_do_byte_by_byte_however_blocks_are_cut(data, size):
    assert all_rows(cut_records(cut_up(data, size), ",")) == slow_records(data)


@given(awkward_csv)
def test_arrow_counts_the_same_records(data):
    records, open_ = slow_records(data)
    if open_ or not records:
        return
    bad = []
    table = arrow_csv.read_csv(
        io.BytesIO(data),
        read_options=arrow_csv.ReadOptions(use_threads=False, column_names=["a", "b"]),
        parse_options=arrow_csv.ParseOptions(
            newlines_in_values=True,
            ignore_empty_lines=False,
            invalid_row_handler=lambda row: bad.append(row.number) or "skip",
        ),
        convert_options=arrow_csv.ConvertOptions(column_types={"a": pa.string(), "b": pa.string()}),
    )
    assert len(table) + len(bad) == len(records)


@given(st.text(st.sampled_from("ab\r\n"), max_size=40).map(str.encode), st.integers(1, 50))
def test_lines_end_with_a_line_feed_alone(data, size):
    assert all_rows(cut_lines(cut_up(data, size)))[0] == [
        line for line in io.BytesIO(data).readlines() if line
    ]


def test_a_record_of_many_blocks_is_found_in_linear_time():
    field = b'"' + b'a line, and ""more""\n' * 200_000 + b'"'
    data = b"x,y\n1," + field + b"\n2,z\n"
    rows, _ = all_rows(cut_records(cut_up(data, 1000), ","))
    assert rows == [b"x,y\n", b"1," + field + b"\n", b"2,z\n"]
