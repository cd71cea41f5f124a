"""A run as one page for people, and every table and figure of it as files."""
