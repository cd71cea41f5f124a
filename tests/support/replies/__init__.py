"""Replies to multiple-choice questions in the styles of chat models, written for the tests."""
