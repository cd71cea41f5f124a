"""What families share whose models walk a room: how replies name actions, cubes, the own body."""
