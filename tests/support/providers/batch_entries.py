"""Catalogue entries of makers whose batches are spoken, each with a key."""

from dataclasses import replace

from mirror_ray.providers.catalogue import load_catalogue

ENTRIES = {
    "anthropic": "anthropic/claude-sonnet-4-6",
    "gemini": "gemini/gemini-2.5-flash",
    "openai": "openai/gpt-5.1",
}
KEYS = {"anthropic": "ANTHROPIC_API_KEY", "gemini": "GEMINI_API_KEY", "openai": "OPENAI_API_KEY"}


def entry(protocol: str, monkeypatch, base_url=None):
    monkeypatch.setenv(KEYS[protocol], "sk-" + "k" * 30)
    return replace(load_catalogue().resolve(ENTRIES[protocol], "x"), base_url=base_url)
