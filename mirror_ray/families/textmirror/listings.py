"""The episodes of each stage: seeds for stories, stories for editors, revisions for readers.

One stage's rows become the next one's episodes; `follows` matches them. The pool is sampled once
all seeds exist, and an author's stories are revised once all of them have ended, so that the
`per_pair` drawn stories never change."""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from mirror_ray.contract.family_files import axis_value
from mirror_ray.contract.listing import Earlier, Listing, Shape
from mirror_ray.core.errors import SweepError
from mirror_ray.core.identity import Cell, EpisodeSpec, content_hash, seeded
from mirror_ray.families.textmirror import conditions as named
from mirror_ray.families.textmirror.attribution import MOST_OFFERED
from mirror_ray.families.textmirror.explanation import explained, presumed_explained
from mirror_ray.families.textmirror.follows import feeds, sources_of
from mirror_ray.families.textmirror.positions import position_of
from mirror_ray.families.textmirror.revised import (
    TYPICAL_SENTENCE,
    episode_about,
    is_of_two,
    presumed_revised,
    revised,
)
from mirror_ray.families.textmirror.seeds import N_BUILT_IN, Seed, built_in_seed, seeds_in_file

_T = TypeVar("_T")

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
    and temperature is not distinct from $story and n_sentences = $n_sentences
order by author, run, scene_seed, episode_id
"""


def _stories(cell: Cell, shape: Shape, _: Earlier | None) -> Iterator[EpisodeSpec]:
    seeds = _seeds(shape, cell)
    for run in range(shape.runs):
        for scene_seed in shape.seeds:
            seed = seeds(scene_seed)
            given = {"seed_text": seed.text, "seed_origin": seed.origin}
            yield EpisodeSpec(cell, scene_seed, run, given)


def _pooled_stories(cell: Cell, shape: Shape, earlier: Earlier | None) -> Iterator[EpisodeSpec]:
    # Later seeds would change the sample, and thus the first `per_pair` stories.
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
    sources = sources_of(cell)
    stories: dict[str, list[Mapping[str, Any]]] = {model: [] for model in shape.models}
    for story in earlier.rows(_STORIES, n_sentences=sources.n_sentences, story=sources.story):
        stories[story["author"]].append(story)
    for author, own in stories.items():
        if not earlier.unfinished(author):
            yield from (_revision(cell, story) for story in _drawn(cell, shape, own))


def _drawn(
    cell: Cell, shape: Shape, stories: Sequence[Mapping[str, Any]]
) -> Sequence[Mapping[str, Any]]:
    """Return one author's stories that are to be revised."""
    count, n_sentences = _whole(shape.options["per_pair"]), sources_of(cell).n_sentences

    def place(story: Mapping[str, Any]) -> tuple[str, int]:
        return story["seed_origin"], position_of(story["scene_seed"], story["run"], n_sentences)

    def name(story: Mapping[str, Any]) -> object:
        return story["author"], story["seed_text"], story["scene_seed"], story["run"]

    return _in_turns(stories, place, name)[:count]


def _presumed_revisions(
    cell: Cell, shape: Shape, before: Sequence[EpisodeSpec]
) -> Iterator[EpisodeSpec]:
    """Return the revisions to expect if every story is kept."""
    stories: dict[str, list[Mapping[str, Any]]] = {model: [] for model in shape.models}
    for story in before:
        author = story.cell.model
        written = {
            "episode_id": story.episode_id,
            "author": author,
            "scene_seed": story.scene_seed,
            "run": story.run,
            "sentences": [TYPICAL_SENTENCE] * n_sentences_of(cell),
        }
        stories[author].append({**written, **story.given})
    for own in stories.values():
        yield from (_revision(cell, story) for story in _drawn(cell, shape, own))


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


def _read(cell: Cell, _: Shape, revisions: Iterable[Mapping[str, Any]]) -> Iterator[EpisodeSpec]:
    """Yield readings of the reader's own stories, or others', after each revision; of unchanged
    ones once."""
    own = axis_value(cell, "reads") == "own"
    shown = set()
    for revision in revisions:
        if (revision["author"] == cell.model) != own:
            continue
        if cell.variant != named.UNCHANGED:
            yield episode_about(cell, revision)
        elif revision["parent_id"] not in shown:
            shown.add(revision["parent_id"])
            yield episode_about(cell, revision, revised=False)


def _chosen(cell: Cell, _: Shape, revisions: Iterable[Mapping[str, Any]]) -> Iterator[EpisodeSpec]:
    return (episode_about(cell, one) for one in revisions if is_of_two(cell, one))


def _attributed(
    cell: Cell, shape: Shape, revisions: Iterable[Mapping[str, Any]]
) -> Iterator[EpisodeSpec]:
    if not 2 <= len(shape.models) <= MOST_OFFERED:
        raise SweepError(
            f"{shape.where}.conditions",
            f"{cell.condition} among {len(shape.models)} models",
            f"2 to {MOST_OFFERED} models, one of which wrote each sentence",
            "change models, or remove the condition",
        )
    for revision in revisions:
        if revision["author"] == cell.model:
            about = episode_about(cell, revision)
            key = ("textmirror makers", about.scene_seed, about.run, revision["editor"])
            order = seeded(*key).permutation(len(shape.models))
            offered = [shape.models[place] for place in order]
            yield replace(about, given={**about.given, "makers": offered})


def n_sentences_of(cell: Cell) -> int:
    """Return how many sentences this cell's stories have."""
    return sources_of(cell).n_sentences


def _seeds(shape: Shape, cell: Cell) -> Callable[[int], Seed]:
    """Return each seed by its number; a file's seeds in random order, in which their authors take
    turns."""
    path = str(shape.options["seed_file"])
    if not path:
        _enough(shape, N_BUILT_IN, "there are so many built-in seeds")
        return built_in_seed
    seeds = seeds_in_file(path, shape.where)
    _enough(shape, len(seeds), f"{path} has so many")
    numbered = list(enumerate(seeds))
    seeds = [seed for _, seed in _in_turns(numbered, lambda one: one[1].origin, _seed_name)]
    return seeds.__getitem__


def _seed_name(numbered: tuple[int, Seed]) -> object:
    return numbered[0], numbered[1].text


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
        raise TypeError(f"{value!r} is not a whole number")
    return value


def _of_revisions(
    listed: Callable[[Cell, Shape, Iterable[Mapping[str, Any]]], Iterator[EpisodeSpec]],
    *,
    after_all: bool = False,
) -> Listing:
    def episodes(cell: Cell, shape: Shape, earlier: Earlier | None) -> Iterator[EpisodeSpec]:
        return iter(()) if earlier is None else listed(cell, shape, revised(cell, earlier))

    def presumed(cell: Cell, shape: Shape, before: Sequence[EpisodeSpec]) -> Iterator[EpisodeSpec]:
        return listed(cell, shape, presumed_revised(before))

    return Listing(episodes, (named.REVISION,), presumed, after_all=after_all, feeds=feeds)


_OF_STORIES = (named.STORY, named.POOLED_STORY)

LISTINGS: Mapping[str, Listing] = {
    named.STORY: Listing(_stories),
    named.POOLED_STORY: Listing(
        _pooled_stories, (named.SEEDS,), _presumed_pool, after_all=True, feeds=feeds
    ),
    named.REVISION: Listing(_revisions, _OF_STORIES, _presumed_revisions, feeds=feeds),
    named.RECOGNITION: _of_revisions(_read),
    named.EXPLANATION: Listing(explained, (named.RECOGNITION,), presumed_explained, feeds=feeds),
    named.AUTHORSHIP: _of_revisions(_chosen),
    # All models of the sweep are among the options.
    named.ATTRIBUTION: _of_revisions(_attributed, after_all=True),
}
"""The listing of each condition; only seeds are played as seeds × runs."""


def _in_turns(
    items: Iterable[_T], group_of: Callable[[_T], Hashable], name_of: Callable[[_T], object]
) -> list[_T]:
    """Return all items; the groups take turns, each in an independent random order.

    An item's place in its group depends on its name, so that larger samples begin with smaller
    ones.

    Args:
        name_of: what of an item sets its place: equal wherever the item is met.
    """
    groups: dict[Hashable, list[_T]] = {}
    for item in items:
        groups.setdefault(group_of(item), []).append(item)
    for group in groups.values():
        group.sort(key=lambda item: content_hash("textmirror sample", name_of(item)))
    ordered = sorted(groups, key=lambda group: content_hash("textmirror group", repr(group)))
    longest = max(map(len, groups.values()), default=0)
    return [groups[name][at] for at in range(longest) for name in ordered if at < len(groups[name])]
