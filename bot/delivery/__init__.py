"""What goes out to everybody: boards in order, their pictures, films."""
