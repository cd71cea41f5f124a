"""What is put into words for selfid's models, whatever the language: one text for each slot.

A text in another language says what the English one says, no more and no less. Keys of the reply,
actions and the literals "done", "none" and "unknown" are the protocol's and stay as they are, as do
the keys by which a step is recalled.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from mirror_ray.families.selfid.settings import MirrorCalled
from mirror_ray.world.room.motion import Obstacle


@dataclass(frozen=True, slots=True)
class Wording:
    """The texts of one language.

    Args:
        role, lie: the system prompt's first line, as published and with a false `{wrong_color}`.
        colors: each colour of the palette as it stands in the lie.
        system, system_open, system_glance: system prompts; the second with a `{room}`.
        rooms: that room by what the mirror is called.
        task, task_glance: with an `{evidence}`.
        evidence: that by what the mirror is called, with the space that joins it.
        frames: with the number of pictures `{n}`.
        previous, ago: which step is recalled, the last one or `{ago}` before.
        unread: in place of the summary of a step whose reply was unreadable.
        position: with `{x}`, `{y}`, `{heading}` and the steps `{left}`.
        warning: with an `{obstacle}`.
        reask: with the `{problem}`.
        problems: what is wrong with a reply, in English as readers name it → in this language.
        of_key: the same of complaints about one `{key}`; those that are not listed have `invalid`.
        within: a reply that ends within the words of a `{key}`.
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
