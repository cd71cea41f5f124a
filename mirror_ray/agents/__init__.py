"""Offline reference agents: they act only on what a model would get, pixels and text."""

from mirror_ray.agents.prompt import Agent, Prompt, UnfamiliarPromptError, prompt_for

__all__ = ["Agent", "Prompt", "UnfamiliarPromptError", "prompt_for"]
