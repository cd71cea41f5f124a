"""How free replies are worded, whatever they answer."""
