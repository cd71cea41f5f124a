"""The type of a function that generates a question from its draws and its level."""

from mirror_ray.families.metacog.bank.draws import Draws
from mirror_ray.families.metacog.bank.question import Draft
from mirror_ray.families.metacog.bank.words import Template

LEVELS = 10
"""Levels run from 1 to this; what today's models find easy ends at about level 3."""


def one_of(*forms: Template) -> Template:
    """Return a kind of several forms, drawn evenly."""

    def draft(d: Draws, level: int) -> Draft:
        return d.pick(forms)(d, level)

    return draft


def capital(text: str) -> str:
    """Return a text with a capital at its beginning."""
    return text[0].upper() + text[1:]
