"""What every page that this package serves has in common: who may ask, and what is sent."""
