"""Whether a text quotes or cites where it shares a passage: a rule about marks, not understanding.

vocabulary.py         months, particles, abbreviations, words for pages and sources
works_listed.py       the bibliography and the notes of a text, by which marks are confirmed
author_year.py        (Smith 2019), Smith (2019), (vgl. Müller 2018, S. 4), （王，2019）
numbered_marks.py     [12], [3, 5–7], (12), ¹², footnote marks
other_citations.py    ibid., courts and laws, \\cite{…}, "Source: …", links in brackets
citations.py          all citations of a text, as ranges
sentences.py          where the sentence around a place begins and ends
attributed_text.py    `AttributedText`: a text's quotations and citations; the group of a passage
"""
