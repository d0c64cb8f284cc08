"""Parts of documents that are repeated: paragraphs, lines and passages, removed but for one."""
