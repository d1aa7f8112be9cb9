"""Tables and preferences as the service sees them: loaded, changed, found, their results recorded."""
