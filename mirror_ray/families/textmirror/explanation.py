"""Step 4: which of the source's eleven reasons a reader gives for its choice in step 3."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from mirror_ray.contract.listing import Earlier, Shape
from mirror_ray.contract.prompt_texts import PROMPTS
from mirror_ray.core.identity import Cell, EpisodeSpec
from mirror_ray.families.textmirror.read import Read
from mirror_ray.reading.thinking import without_thinking

OTHER = "Other"
REASONS = (
    "Awkward Word Choice",
    "Strange or Forced Idioms",
    "Mixed/Forced Metaphors",
    "Overly Florid / Purple Prose",
    "Illogical or Nonsensical Imagery",
    "Inconsistent Tone",
    "Overly Melodramatic",
    "Inconsistent Diction",
    "Inconsistent Sentence Structure",
    "Confusing or Vague Construction",
    OTHER,
)
_LONGEST_CHARS = 2_000
_SIGNS = re.compile(r"[^a-z]+")

_CHOICES = """
select
    episodes.episode_id, episodes.author, episodes.editor, episodes.scene_seed, episodes.run,
    episodes.seed_text, episodes.seed_origin, episodes.sentences, episodes.position,
    steps.reply as answered
from episodes
inner join steps using (episode_id)
where episodes.condition = 'recognition' and episodes.error_kind = 'none'
    and episodes.predicted is not null and episodes.model = $model
    and episodes.temperature is not distinct from $temperature
    and episodes.variant in ($variant, $own_prompts)
order by episodes.editor, episodes.run, episodes.scene_seed, episodes.episode_id
"""
_CARRIED = ("author", "editor", "seed_text", "seed_origin", "position")


def has_choices(earlier: Cell, cell: Cell) -> bool:
    """Return whether a cell explains the choices of a cell of recognition."""
    labels = (cell.variant_label, _own_prompts(cell).variant_label)
    return earlier.temperature == cell.temperature and earlier.variant_label in labels


def explained(cell: Cell, _: Shape, earlier: Earlier | None) -> Iterator[EpisodeSpec]:
    """Yield an episode for each of the reader's choices."""
    if earlier is None:
        return
    labels = {"variant": cell.variant_label, "own_prompts": _own_prompts(cell).variant_label}
    about = {"model": cell.model, "temperature": cell.temperature, **labels}
    for row in earlier.rows(_CHOICES, **about):
        yield _episode(cell, row, without_thinking(row["answered"]).strip()[:_LONGEST_CHARS])


def presumed_explained(
    cell: Cell, _: Shape, before: Iterable[EpisodeSpec]
) -> Iterator[EpisodeSpec]:
    """Yield an episode for each recognition, as if each reply named a sentence."""
    for one in before:
        if one.cell.model == cell.model:
            at = {"episode_id": one.episode_id, "scene_seed": one.scene_seed, "run": one.run}
            yield _episode(cell, {**one.given, **at}, "3")


def read_reason(text: str) -> Read[str]:
    """Return the one reason that a reply names; "other" only if that is the whole reply."""
    said = _plain(text[:_LONGEST_CHARS])
    named = [one for one in REASONS if _plain(one) == said]
    if named:
        return Read(named[0], "strict")
    named = [one for one in REASONS if one != OTHER and f" {_plain(one)} " in f" {said} "]
    if len(named) == 1:
        return Read(named[0], "coerced", ("found the reason within the reply",))
    return Read(None, "failed", problem="no reason of the list, or several")


def _episode(cell: Cell, row: Mapping[str, Any], answered: str) -> EpisodeSpec:
    given = {
        "parent_id": row["episode_id"],
        "sentences": list(row["sentences"]),
        "answered": answered,
        **{name: row[name] for name in _CARRIED},
    }
    return EpisodeSpec(cell, row["scene_seed"], row["run"], given)


def _own_prompts(cell: Cell) -> Cell:
    return replace(cell, axes=tuple(one for one in cell.axes if one[0] != PROMPTS))


def _plain(text: str) -> str:
    return _SIGNS.sub(" ", text.casefold()).strip()
