"""Tools for operators: settings, command line, doctor, health and readiness."""
