"""Short essays that quote and cite in known ways, to try the groups of passages on.

languages.py   prose, names and words of each language
styles.py      how a style cites: author and year, numbers, notes, pages, laws
essays.py      `cases`: an essay, the text that its passage is from, and the passage's true group
"""
