"""The Recorder's process: the one writer of a run directory."""
