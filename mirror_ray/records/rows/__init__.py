"""Rows of a family's columns, checked and packed."""
