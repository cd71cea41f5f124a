"""Which of several lettered options a reply commits to."""
