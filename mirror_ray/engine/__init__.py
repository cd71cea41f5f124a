"""Runs a plan on Ray: one folder per process, read downwards. The only package with `ray`."""
