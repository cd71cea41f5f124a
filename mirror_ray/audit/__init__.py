"""Audits of readings: a person marks a blinded sample of replies, and readers are compared."""
