"""What report and app show, as plain values for JSON.

    Survey          a whole collection: its documents, its pairs, how similar they are
    document_view   one document, and what others share with it
    pair_view       two documents side by side

Texts and places: every place is in code points of the text; places of words count the words of the
text as `words_of` cuts them, excluded ones too. Ranges end before their last place.
"""
