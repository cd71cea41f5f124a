"""The kinds of answer: how to read a piece of text that should contain one."""
