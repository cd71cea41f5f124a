"""A Provider's process: it calls models, and records each reply before passing it on."""
