"""The agents of textmirror."""
