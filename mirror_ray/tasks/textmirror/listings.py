"""Which episodes each stage has: seeds for stories, stories for editors, revisions for readers.

Knows how one stage's rows become the next one's episodes; does not know what is asked. Stages are
matched by temperature and number of sentences. The pool is drawn from once all seeds are there, and
an author's stories are revised once all of them have ended, so that "the first `per_pair`" are the
same ones for ever.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from mirror_ray.errors import SweepError
from mirror_ray.identity import Cell, EpisodeSpec, seeded
from mirror_ray.tasks.family import Earlier, Listing, Shape
from mirror_ray.tasks.textmirror import conditions as named
from mirror_ray.tasks.textmirror.positions import position_of
from mirror_ray.tasks.textmirror.seeds import (
    N_BUILT_IN,
    Seed,
    built_in_seed,
    seeds_in_file,
)
from mirror_ray.types import Facts

TYPICAL_SENTENCE = (
    "The old clockmaker set down her lamp and listened to the rain that had begun to fall on"
    " the empty square."
)
"""For forecasts: about as long as the sentences of the source's stories."""

_POOL = """
select model, prompts from episodes
where condition = 'seeds' and error_kind = 'none' and prompts is not null
    and temperature is not distinct from $temperature
order by model, scene_seed, run
"""

_STORIES = """
select episode_id, model as author, scene_seed, run, seed_text, seed_origin, sentences
from episodes
where condition in ('story', 'pooled_story') and kept
    and temperature is not distinct from $temperature and n_sentences = $n_sentences
order by author, run, scene_seed, episode_id
"""

_REVISIONS = """
select
    episode_id, parent_id, author, editor, scene_seed, run, seed_text, seed_origin, sentences,
    position, original_sentence, revised_sentence
from episodes
where condition = 'revision' and error_kind = 'none' and revised_sentence is not null
    and temperature is not distinct from $temperature and n_sentences = $n_sentences
order by author, editor, run, scene_seed, episode_id
"""


def _stories(cell: Cell, shape: Shape, _: Earlier | None) -> Iterator[EpisodeSpec]:
    seeds = _seeds(shape)
    for run in range(shape.runs):
        for scene_seed in shape.seeds:
            seed = seeds(scene_seed)
            given = {"seed_text": seed.text, "seed_origin": seed.origin}
            yield EpisodeSpec(cell, scene_seed, run, given)


def _pooled_stories(cell: Cell, shape: Shape, earlier: Earlier | None) -> Iterator[EpisodeSpec]:
    # Seeds that come later would change the sample, and which stories are the first `per_pair`.
    if earlier is None or any(earlier.unfinished(model) for model in shape.models):
        return
    per_model = _whole(shape.options["seeds_per_model"])
    pool: dict[str, dict[str, None]] = {}
    for row in earlier.rows(_POOL, temperature=cell.temperature):
        pool.setdefault(row["model"], {}).update(dict.fromkeys(row["prompts"]))
    for number, model in enumerate(shape.models):
        for place, text in enumerate(_sampled(model, list(pool.get(model, {})), per_model)):
            given = {"seed_text": text, "seed_origin": model}
            yield EpisodeSpec(cell, number * per_model + place, 0, given)


def _sampled(model: str, seeds: Sequence[str], count: int) -> list[str]:
    """So many of a model's seeds at random; fewer where it has no more."""
    order = seeded("textmirror pool", model).permutation(len(seeds))
    return [seeds[place] for place in order[:count]]


def _presumed_pool(cell: Cell, shape: Shape, _: Sequence[EpisodeSpec]) -> Iterator[EpisodeSpec]:
    per_model = _whole(shape.options["seeds_per_model"])
    for number, model in enumerate(shape.models):
        for place in range(per_model):
            given = {"seed_text": built_in_seed(place).text, "seed_origin": model}
            yield EpisodeSpec(cell, number * per_model + place, 0, given)


def _revisions(cell: Cell, shape: Shape, earlier: Earlier | None) -> Iterator[EpisodeSpec]:
    if earlier is None:
        return
    left = dict.fromkeys(shape.models, _whole(shape.options["per_pair"]))
    for story in earlier.rows(_STORIES, **_setting(cell)):
        author = story["author"]
        if earlier.unfinished(author) or not left[author]:
            continue
        left[author] -= 1
        yield _revision(cell, story)


def _presumed_revisions(
    cell: Cell, shape: Shape, before: Sequence[EpisodeSpec]
) -> Iterator[EpisodeSpec]:
    """As if every story were kept."""
    left = dict.fromkeys(shape.models, _whole(shape.options["per_pair"]))
    for story in before:
        author = story.cell.model
        if story.cell.condition in _OF_STORIES and _alike(story.cell, cell) and left[author]:
            left[author] -= 1
            written = {
                "episode_id": story.episode_id,
                "author": author,
                "scene_seed": story.scene_seed,
                "run": story.run,
                "sentences": [TYPICAL_SENTENCE] * n_sentences_of(cell),
            }
            yield _revision(cell, {**written, **story.given})


def _revision(cell: Cell, story: Mapping[str, Any]) -> EpisodeSpec:
    scene_seed, run = story["scene_seed"], story["run"]
    given = {
        "parent_id": story["episode_id"],
        "author": story["author"],
        "seed_text": story["seed_text"],
        "seed_origin": story["seed_origin"],
        "sentences": list(story["sentences"]),
        "position": position_of(scene_seed, run, n_sentences_of(cell)),
    }
    return EpisodeSpec(cell, scene_seed, run, given)


def _recognitions(cell: Cell, shape: Shape, earlier: Earlier | None) -> Iterator[EpisodeSpec]:
    if earlier is None:
        return
    yield from _read(cell, earlier.rows(_REVISIONS, **_setting(cell)))


def _presumed_recognitions(
    cell: Cell, _: Shape, before: Sequence[EpisodeSpec]
) -> Iterator[EpisodeSpec]:
    yield from _read(cell, _presumed_revised(cell, before))


def _read(cell: Cell, revisions: Iterable[Mapping[str, Any]]) -> Iterator[EpisodeSpec]:
    """The reader's own stories, or others', after each revision; unchanged ones once each."""
    own = dict(cell.axes).get("reads", named.OWN) == named.OWN
    shown = set()
    for revision in revisions:
        if (revision["author"] == cell.model) != own:
            continue
        if cell.variant != named.UNCHANGED:
            yield _about(cell, revision)
        elif revision["parent_id"] not in shown:
            shown.add(revision["parent_id"])
            yield _about(cell, revision, revised=False)


def _authorships(cell: Cell, shape: Shape, earlier: Earlier | None) -> Iterator[EpisodeSpec]:
    if earlier is None:
        return
    for revision in earlier.rows(_REVISIONS, **_setting(cell)):
        if _is_of_two(cell, revision):
            yield _about(cell, revision)


def _presumed_authorships(
    cell: Cell, _: Shape, before: Sequence[EpisodeSpec]
) -> Iterator[EpisodeSpec]:
    for revision in _presumed_revised(cell, before):
        if _is_of_two(cell, revision):
            yield _about(cell, revision)


def _is_of_two(cell: Cell, revision: Mapping[str, Any]) -> bool:
    """Whether exactly one of the two sentences is the reader's, and they differ at all."""
    differ = bool(revision["original_sentence"] != revision["revised_sentence"])
    return differ and revision["author"] == cell.model != revision["editor"]


def _about(cell: Cell, revision: Mapping[str, Any], *, revised: bool = True) -> EpisodeSpec:
    """An episode about a revision, or the story it was made of; the sentences are as written."""
    carried = ["author", "seed_text", "seed_origin", "position"]
    if revised:
        carried += ["editor", "original_sentence", "revised_sentence"]
    given: Facts = {
        "parent_id": revision["episode_id" if revised else "parent_id"],
        "sentences": list(revision["sentences"]),
        **{name: revision[name] for name in carried},
    }
    return EpisodeSpec(cell, revision["scene_seed"], revision["run"], given)


def _presumed_revised(cell: Cell, before: Sequence[EpisodeSpec]) -> Iterator[dict[str, Any]]:
    for revision in before:
        if revision.cell.condition == named.REVISION and _alike(revision.cell, cell):
            yield {
                **revision.given,
                "episode_id": revision.episode_id,
                "editor": revision.cell.model,
                "scene_seed": revision.scene_seed,
                "run": revision.run,
                "original_sentence": TYPICAL_SENTENCE,
                "revised_sentence": TYPICAL_SENTENCE.removesuffix("."),
            }


def _alike(one: Cell, other: Cell) -> bool:
    """Whether one stage's cell feeds the other's."""
    return one.temperature == other.temperature and n_sentences_of(one) == n_sentences_of(other)


def n_sentences_of(cell: Cell) -> int:
    """How many sentences this cell's stories have."""
    return _whole(dict(cell.axes).get("n_sentences", named.AXES["n_sentences"].default))


def _setting(cell: Cell) -> dict[str, object]:
    return {"temperature": cell.temperature, "n_sentences": n_sentences_of(cell)}


def _seeds(shape: Shape) -> Callable[[int], Seed]:
    path = str(shape.options["seed_file"])
    if not path:
        _enough(shape, N_BUILT_IN, "there are so many built-in seeds")
        return built_in_seed
    seeds = seeds_in_file(path, shape.where)
    _enough(shape, len(seeds), f"{path} has so many")
    return seeds.__getitem__


def _enough(shape: Shape, there_are: int, why: str) -> None:
    most = max(shape.seeds)
    if most >= there_are:
        raise SweepError(
            f"{shape.where}.seeds",
            f"seed {most}",
            f"seeds below {there_are:,}: {why}",
            f"seeds: {there_are}",
        )


def _whole(value: object) -> int:
    if not isinstance(value, int):
        raise TypeError(f"{value!r} is no whole number")
    return value


_OF_STORIES = (named.STORY, named.POOLED_STORY)

LISTINGS: Mapping[str, Listing] = MappingProxyType(
    {
        named.STORY: Listing(_stories),
        named.POOLED_STORY: Listing(_pooled_stories, (named.SEEDS,), _presumed_pool),
        named.REVISION: Listing(_revisions, _OF_STORIES, _presumed_revisions),
        named.RECOGNITION: Listing(_recognitions, (named.REVISION,), _presumed_recognitions),
        named.AUTHORSHIP: Listing(_authorships, (named.REVISION,), _presumed_authorships),
    }
)
"""Condition → its listing; seeds alone are played seeds × runs."""
