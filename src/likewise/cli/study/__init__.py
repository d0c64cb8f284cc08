"""`likewise study`: experiments on any text, one module per experiment."""
