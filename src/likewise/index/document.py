"""`Document`, the name of `StoredDocument` before 0.7."""

from likewise.index.stored_document import StoredDocument as Document

__all__ = ["Document"]
