"""Posts for all people: boards in order, and their pictures."""
