"""Plans of next turns."""
