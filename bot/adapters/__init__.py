"""One module or package a platform; each has names NAME, VARIABLES and open(settings)."""
