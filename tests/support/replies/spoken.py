"""What replies to selfid in another language are put together from, and what each commits to."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

Said = tuple[str, str | None]
"""Words, and what they commit to."""


@dataclass(frozen=True, slots=True)
class Spoken:
    """A reply and what it commits to.

    Args:
        action: None where it commits to none: nothing may be read then.
        cube: the selected cube; "none" where none is.
        claim: the colour that its identification commits to, on the palette or off it.
    """

    text: str
    action: str | None
    cube: str = "none"
    claim: str | None = None


@dataclass(frozen=True, slots=True)
class Corpus:
    """A language's replies.

    Args:
        view, reasoning, summary: what stands in the other keys, in turns.
        identifications: words → colour; None: nothing is claimed.
        actions: words → action; None: none, or more than one.
        cubes: words of a selection at done → cube.
        wraps: texts around an object, which stands at ``@``.
        whole: replies that are no such object.
    """

    view: Sequence[str]
    reasoning: Sequence[str]
    summary: Sequence[str]
    identifications: Sequence[Said]
    actions: Sequence[Said]
    cubes: Sequence[Said]
    wraps: Sequence[str]
    whole: Sequence[Spoken]

    def __iter__(self) -> Iterator[Spoken]:
        for place, (words, claim) in enumerate(self.identifications):
            action = "wasd"[place % 4]
            yield Spoken(self._object(place, action, words), action, claim=claim)
        known = [one for one in self.identifications if one[1] is not None]
        for place, (words, action) in enumerate(self.actions):
            said, claim = known[place % len(known)]
            yield Spoken(
                self._object(place, words, said),
                action,
                claim=claim if action is not None else None,
            )
        for place, (words, cube) in enumerate(self.cubes):
            said, claim = known[-1 - place % len(known)]
            yield Spoken(self._object(place, "done", said, words), "done", cube or words, claim)
        for place, wrap in enumerate(self.wraps):
            said, claim = known[(3 * place) % len(known)]
            action = "dsaw"[place % 4]
            text = wrap.replace("@", self._object(place, action, said, indent=2))
            yield Spoken(text, action, claim=claim)
        yield from self.whole

    def _object(
        self, place: int, action: str, claim: str, cube: str = "none", indent: int | None = None
    ) -> str:
        return json.dumps(
            {
                "view-description": self.view[place % len(self.view)],
                "reasoning": self.reasoning[place % len(self.reasoning)],
                "action": action,
                "summary": self.summary[place % len(self.summary)],
                "selected_cube": cube,
                "identification": claim,
            },
            ensure_ascii=False,
            indent=indent,
        )
