"""The outcome of an extraction as bytes: what workers send, and what the cache keeps.

A header in JSON and the text in UTF-8, compressed together; zlib's checksum finds damage.
"""

from __future__ import annotations

import json
import zlib

from likewise.documents import limits
from likewise.documents.document import Document, Hidden
from likewise.documents.references import References
from likewise.documents.texts import scrub
from likewise.documents.unreadable import UnreadableError

Outcome = Document | UnreadableError

_MAGIC = b"likewise text 1\n"
MAX_ENTRY_BYTES = 2 * limits.MAX_DOCUMENT_BYTES
"""What an entry may be unpacked: nothing that came from a foreign file is believed."""


def encode_outcome(outcome: Outcome) -> bytes:
    """Return the outcome as bytes."""
    if isinstance(outcome, UnreadableError):
        header: dict[str, object] = {"reason": scrub(outcome.reason), "lasting": outcome.lasting}
        if outcome.hint is not None:
            header["hint"] = outcome.hint
        text = b""
    else:
        notes = [scrub(note) for note in outcome.notes]
        header = {"pages": outcome.page_starts, "notes": notes}
        if outcome.hidden:  # which entries of earlier versions have not
            header["hidden"] = [(h.offset, scrub(h.text), h.why, h.length) for h in outcome.hidden]
        if outcome.references is not None:
            header["references"] = scrub(outcome.references.to_json())
        text = scrub(outcome.text).encode()
        if len(text) > limits.MAX_DOCUMENT_BYTES:
            return encode_outcome(UnreadableError(f"its text is larger than {limits.max_size()}"))
    return _MAGIC + zlib.compress(json.dumps(header).encode() + b"\n" + text, 1)


def decode_outcome(entry: bytes) -> Outcome:
    """Return the outcome; raise `ValueError` where the bytes are not those of one."""
    if not entry.startswith(_MAGIC):
        raise ValueError("not an entry of this version")
    unpacker = zlib.decompressobj()
    try:
        content = unpacker.decompress(entry[len(_MAGIC) :], MAX_ENTRY_BYTES)
    except zlib.error as error:
        raise ValueError("damaged") from error
    if not unpacker.eof:
        raise ValueError("cut short, or too large")
    head, _, text = content.partition(b"\n")
    try:
        header = json.loads(head)
        if "reason" in header:
            hint = header.get("hint")
            return UnreadableError(
                str(header["reason"]),
                lasting=header["lasting"] is True,
                hint=None if hint is None else str(hint),
            )
        pages = header["pages"]
        starts = None if pages is None else tuple(map(int, pages))
        hidden = tuple(
            Hidden(int(offset), str(shown), str(why), int(length))
            for offset, shown, why, length in header.get("hidden", ())
        )
        given = header.get("references")
        references = None if given is None else References.from_json(given)
        document = Document(
            text.decode(), starts, tuple(map(str, header["notes"])), hidden, references=references
        )
        edges = [0, *(starts or ()), len(document.text)]
        inside = all(0 <= place.offset <= edges[-1] for place in hidden)
        inside = inside and (references is None or references.fits(edges[-1]))
        if edges != sorted(edges) or not inside:
            raise ValueError("not an entry: a place outside the text")
        return document
    except (KeyError, TypeError, AttributeError, OverflowError, RecursionError) as error:
        raise ValueError("not an entry") from error
