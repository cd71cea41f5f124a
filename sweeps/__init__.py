"""Sweep files and the model catalogue, shipped as package data."""
