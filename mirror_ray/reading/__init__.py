"""The pipeline with which all families read replies; nothing here knows a family."""
