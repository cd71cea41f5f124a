"""The pipeline with which all families read replies, independent of any family."""
