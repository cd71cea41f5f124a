"""Offline reference agents: they act only on what a model would get, pixels and text."""

from mirror_ray.providers.scripted.agents import AGENTS
from mirror_ray.providers.scripted.backend import Scripted
from mirror_ray.providers.scripted.prompt import Agent, Prompt, UnfamiliarPromptError, prompt_for

__all__ = ["AGENTS", "Agent", "Prompt", "Scripted", "UnfamiliarPromptError", "prompt_for"]
