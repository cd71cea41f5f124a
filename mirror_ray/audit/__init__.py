"""Audits of readings: a person marks a blinded sample of replies, then readers are compared."""
