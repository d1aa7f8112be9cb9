"""Reviews: how a finished game went, and where it turned."""
