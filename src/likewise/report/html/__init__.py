"""The report as one HTML file: views, texts and the program that shows them, in one page."""
