"""The common parts of all pages that this package serves: access control, and responses."""
