"""What people and time ask for, answered: one module per kind of request."""
