"""Turns a YAML file into cells and episodes; all validation happens here."""
