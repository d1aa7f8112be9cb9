"""What every room stands on: the time, trying again, how often somebody may ask, what is counted."""
