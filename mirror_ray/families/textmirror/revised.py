"""Revisions in the form that readers get: from rows, or presumed for forecasts."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from mirror_ray.contract.listing import Earlier
from mirror_ray.core.identity import Cell, EpisodeSpec
from mirror_ray.core.types import Facts
from mirror_ray.families.textmirror.follows import sources_of

TYPICAL_SENTENCE = (
    "The old clockmaker set down her lamp and listened to the rain that had begun to fall on"
    " the empty square."
)
"""For forecasts: about as long as the sentences of the source's stories."""

_REVISIONS = """
select
    episode_id, parent_id, author, editor, scene_seed, run, seed_text, seed_origin, sentences,
    position, original_sentence, revised_sentence
from episodes
where condition = 'revision' and error_kind = 'none' and revised_sentence is not null
    and temperature is not distinct from $revision and n_sentences = $n_sentences
    and coalesce(
        try_cast(regexp_extract(variant, 'story_temperature=([0-9.]+)', 1) as double), temperature
    ) is not distinct from $story
order by author, editor, run, scene_seed, episode_id
"""


def revised(cell: Cell, earlier: Earlier) -> list[dict[str, Any]]:
    """Return the revisions that a cell's episodes depend on."""
    sources = sources_of(cell)
    return earlier.rows(
        _REVISIONS, n_sentences=sources.n_sentences, story=sources.story, revision=sources.revision
    )


def is_of_two(cell: Cell, revision: Mapping[str, Any]) -> bool:
    """Return whether the reader wrote exactly one of the two sentences, and they differ."""
    differ = bool(revision["original_sentence"] != revision["revised_sentence"])
    return differ and revision["author"] == cell.model != revision["editor"]


def episode_about(cell: Cell, revision: Mapping[str, Any], *, revised: bool = True) -> EpisodeSpec:
    """Return an episode about a revision, or about the original story, with sentences as
    written."""
    carried = ["author", "seed_text", "seed_origin", "position"]
    if revised:
        carried += ["editor", "original_sentence", "revised_sentence"]
    given: Facts = {
        "parent_id": revision["episode_id" if revised else "parent_id"],
        "sentences": list(revision["sentences"]),
        **{name: revision[name] for name in carried},
    }
    return EpisodeSpec(cell, revision["scene_seed"], revision["run"], given)


def presumed_revised(before: Iterable[EpisodeSpec]) -> Iterator[dict[str, Any]]:
    """Return the revisions to expect if every story is revised."""
    for revision in before:
        yield {
            **revision.given,
            "episode_id": revision.episode_id,
            "editor": revision.cell.model,
            "scene_seed": revision.scene_seed,
            "run": revision.run,
            "original_sentence": TYPICAL_SENTENCE,
            "revised_sentence": TYPICAL_SENTENCE.removesuffix("."),
        }
