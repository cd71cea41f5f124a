"""What all families read replies with; nothing here knows a family."""
