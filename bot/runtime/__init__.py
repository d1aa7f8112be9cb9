"""Basics for every room: time, retries, rate limits, metrics."""
