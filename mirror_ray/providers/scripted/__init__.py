"""Offline reference agents: they act only on what a model would get, pixels and text."""
