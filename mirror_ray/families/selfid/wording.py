"""The texts of selfid's prompts in one language, from a file of `prompts/`.

A text in another language says exactly what the English one says. Keys of the reply, actions, the
literals "done", "none" and "unknown", and the keys of earlier steps belong to the protocol and are
not translated."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import lru_cache

from mirror_ray.contract.prompt_texts import Texts
from mirror_ray.families.selfid.settings import MirrorCalled
from mirror_ray.reading.languages import Language
from mirror_ray.world.room.motion import Obstacle


@dataclass(frozen=True, slots=True)
class Wording:
    """The texts of one language.

    Args:
        role, lie: the system prompt's first line, as published and with a false `{wrong_color}`.
        colors: each colour of the palette as the lie writes it.
        rooms, evidence: what fills these slots, by the mirror's name.
        previous, ago: the words for the last step, or for the step `{ago}` steps earlier.
        unread: replaces the summary of a step whose reply was unreadable.
        problems, of_key: English problem → the problem in this language; `of_key` names the
            `{key}`.
        within: a reply that ends within the text of a `{key}`.
        invalid: a `{key}` has another fault.
        unfit: any other fault.
    """

    role: str
    lie: str
    colors: Mapping[str, str]
    system: str
    system_open: str
    system_glance: str
    rooms: Mapping[MirrorCalled, str]
    task: str
    task_glance: str
    evidence: Mapping[MirrorCalled, str]
    closing: str
    closing_glance: str
    task_open: str
    closing_open: str
    clarification: str
    frames: str
    no_history: str
    previous: str
    ago: str
    unread: str
    position: str
    warning: str
    obstacles: Mapping[Obstacle, str]
    reask: str
    problems: Mapping[str, str]
    of_key: Mapping[str, str]
    within: str
    invalid: str
    unfit: str


_FILES: Mapping[Language, str] = {
    "en": "english",
    "de": "german",
    "es": "spanish",
    "zh": "chinese",
    "ja": "japanese",
}


@lru_cache(maxsize=64)
def wording_of(texts: Texts, language: Language) -> Wording:
    """Return the texts of a language; texts needed only in translations are "" in English."""
    file = _FILES[language]
    found = {
        one.name: texts.by_key.get(f"{file}.{one.name}", "")
        if one.type is str
        else texts.under(f"{file}.{one.name}")
        for one in fields(Wording)
    }
    return Wording(**found)  # type: ignore[arg-type]
