"""The Recorder's process, which is the one writer of a run directory."""
