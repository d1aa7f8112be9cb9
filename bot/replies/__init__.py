"""What is said to whom. Everything here is built from views: no full state comes this far.

Public replies speak the table's language, private ones the reader's.
"""
