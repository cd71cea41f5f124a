"""Reading for families whose models walk a room: how replies name actions, cubes and the own
body."""
