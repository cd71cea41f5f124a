"""Every prompt that families send by default: all conditions, variants and axis values.

Episodes are played without pictures or models; replies are drawn by the episode's id.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, suppress
from itertools import islice
from json import dumps

import numpy as np

from mirror_ray.contract.family import Family, advance
from mirror_ray.contract.listing import SUBJECT, Shape
from mirror_ray.core.errors import SweepError
from mirror_ray.core.identity import Cell, EpisodeSpec, Scalar, seeded
from mirror_ray.core.types import Ask, Observation, Reply, Turn

_MODELS = ("lab/one", "lab/two")
_MOST_ASKS = 7
_COLORS = ("red", "green", "blue", "unknown")
_WALK: Mapping[str, Sequence[str]] = {
    "view-description": ("a wall",),
    "reasoning": ("I  look\naround.", "long " * 60),
    "action": ("w", "a", "d", "w", "a", "done"),
    "summary": ("turned  left",),
    "selected_cube": ("none",),
    "identification": _COLORS,
}
_KEYS: Mapping[str, Mapping[str, Sequence[str]]] = {
    "selfid": _WALK,
    "dyad": {**_WALK, "tell": _COLORS},
    "contingency": {
        "view": ("three",),
        "reasoning": ("so",),
        "move": ("left", "right", "up", "down", "stay"),
        "answer": ("unsure", "unsure", "unsure", "left"),
    },
    "marktest": {
        "view": ("a face",),
        "reasoning": ("so",),
        "noticed": ("nothing", "a mark on my chin"),
        "action": ("left", "up", "down", "forward", "touch", "touch", "end"),
    },
}
_LINES = ("ANSWER: A\nBET: 3", "SKIP", "B", "2", "[USE_TOOL: calculator | 6*7]", "71", "ANSWER: 12")


def prompts_of(family: Family, most_cells: int | None = None) -> dict[str, list[tuple[str, str]]]:
    """Condition and variant label → (system, user) of every request of its episodes; of each
    condition at most so many cells, the default one first."""
    found: dict[str, list[tuple[str, str]]] = {}
    known: dict[str, list[EpisodeSpec]] = {}
    for condition in _in_order(family):
        for cell in islice(_cells(family, condition), most_cells):
            for spec in _specs(family, cell, known):
                if not cell.axes and cell.variant == next(iter(family.variants)):
                    known.setdefault(condition, []).append(spec)
                label = f"{condition} {cell.variant_label}"
                found.setdefault(label, []).extend(_sent(family, spec))
    return found


def _in_order(family: Family) -> list[str]:
    def follows(condition: str) -> int:
        listing = family.listings.get(condition)
        after = [one for one in listing.after if one != condition] if listing else []
        return 1 + max(map(follows, after)) if after else 0

    return sorted(family.conditions, key=follows)


def _cells(family: Family, condition: str) -> Iterator[Cell]:
    def bears(name: str) -> bool:
        return condition in family.only_in.get(name, (condition,))

    listing = family.listings.get(condition)
    role = listing.role if listing else SUBJECT
    beside = tuple((name, _MODELS[1]) for name, its in family.beside.items() if condition in its)
    models = ((role, _MODELS[0]), *beside)
    for variant in filter(bears, family.variants):
        yield Cell(family.name, condition, models, None, variant)
    first = next(iter(family.variants))
    for name, axis in family.axes.items():
        values: tuple[Scalar, ...] = axis.choices or tuple(
            type(axis.default)(bound) for bound in (axis.minimum, axis.maximum) if bound is not None
        )
        for value in values if bears(name) else ():
            if value != axis.default:
                yield Cell(family.name, condition, models, None, first, ((name, value),))
    channels = family.axes.get("channel")
    for value in (channels.choices or ()) if channels and bears("channel") else ():
        if value != channels.default:
            for variant in list(filter(bears, family.variants))[1:]:
                yield Cell(family.name, condition, models, None, variant, (("channel", value),))


def _specs(family: Family, cell: Cell, known: Mapping[str, list[EpisodeSpec]]) -> list[EpisodeSpec]:
    listing = family.listing_of(cell)
    if listing is None:
        return [EpisodeSpec(cell, seed, 0) for seed in range(2)]
    options = {name: option.default for name, option in family.options.items()}
    shape = Shape(range(2), 1, _MODELS, options, family.name, limit=2)
    if listing.presumed is None:
        # The rows of a data set need its files; its other conditions send the same texts.
        with suppress(SweepError):
            return list(islice(listing.episodes(cell, shape, None), 2))
        return []
    before = [spec for name in listing.after for spec in known.get(name, ())]
    return list(islice(listing.presumed(cell, shape, before), 2))


def _sent(family: Family, spec: EpisodeSpec) -> list[tuple[str, str]]:
    sent: list[tuple[str, str]] = []
    with closing(family.play(spec, spec.rng())) as play:
        reached = advance(play)
        while isinstance(reached, Ask) and len(sent) < _MOST_ASKS:
            sent.append((reached.system, reached.user))
            rng = seeded("sent prompts", spec.episode_id, len(sent))
            reply = Reply(text=_reply(family.name, rng), finish_reason="stop")
            reached = advance(play, Turn(Observation((), None, {}), reply))
    return sent


def _reply(family: str, rng: np.random.Generator) -> str:
    keys = _KEYS.get(family)
    if keys is None or rng.random() < 0.2:
        return str(rng.choice(_LINES))
    return dumps({key: str(rng.choice(values)) for key, values in keys.items()})
