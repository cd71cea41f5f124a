"""Runs a plan on Ray, with one folder per kind of process. Only this package uses `ray`."""
