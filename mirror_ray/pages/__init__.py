"""What all pages that this package serves have in common: access control, and what is sent."""
