"""What people look at, as plain values that JSON can hold; the report and the app show the same.

    survey          a whole collection: its documents, its pairs, how similar they are
    document_view   one document, and what others share with it
    pair_view       two documents side by side

Texts and places: every place is in code points of the text; places of words count the words of the
text as `words_of` cuts them, nothing left out. Ranges end before their last place.
"""
