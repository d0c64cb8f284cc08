"""Repeated paragraphs, lines and passages of the rows of a DataFrame, cut out but for one."""
