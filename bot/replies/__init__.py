"""The words and buttons of all messages, built from views only: no full state reaches this room.

Public messages use the table's language, private ones the reader's.
"""
