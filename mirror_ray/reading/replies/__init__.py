"""How free replies are worded."""
