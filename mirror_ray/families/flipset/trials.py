"""Maps a scene seed to a card and to options in an order.

A scene is the same for every model, and for L2, ToM and MR. Scene seeds 0–335 are the 28 strings
× 12 layouts of arXiv 2602.15892, ordered so that the first 28 show every string once and the
layouts evenly. Repetitions (`run`) show the same scene again."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations

from mirror_ray.contract.listing import Earlier, Shape
from mirror_ray.core.errors import SweepError
from mirror_ray.core.identity import Cell, EpisodeSpec
from mirror_ray.families.flipset.conditions import CONDITIONS, WITHOUT_MONKEY, Condition
from mirror_ray.families.flipset.items import (
    ITEMS,
    L1_STRINGS,
    QUARTER_ITEMS,
    FlipCard,
    generated_items,
)
from mirror_ray.families.flipset.options import OPTION_KINDS, OptionKind
from mirror_ray.families.flipset.settings import SET, Settings
from mirror_ray.world.tabletop.card import Screen
from sim_assets.lettering import type_size_px
from sim_assets.tabletop import CARD_TEXTURE_PX

LABELS = "ABCD"
_INITIALS: Mapping[OptionKind, str] = {
    "correct": "C",
    "egocentric": "E",
    "confusable": "F",
    "random": "R",
}

STATEMENTS: Mapping[OptionKind, str] = {
    "correct": "The monkey sees something different from what you see.",
    "egocentric": "The monkey sees exactly what you see.",
    "confusable": "The monkey sees only the back of the card.",
    "random": "The monkey sees a card with nothing printed on it.",
}
"""[Ours] ToM's options, which the source does not print."""
STATEMENTS_UPRIGHT: Mapping[OptionKind, str] = {
    **STATEMENTS,
    "confusable": "The monkey sees the card from your side of it.",
    "random": "The monkey sees a second card, which you do not see.",
}
"""With a standing card, whose blank back the monkey sees, two of the other statements would be
true."""

FULL_LAYOUTS: tuple[tuple[OptionKind, ...], ...] = tuple(permutations(OPTION_KINDS))
LAYOUTS = tuple(
    layout for layout in FULL_LAYOUTS if layout.index("egocentric") < layout.index("random")
)
"""The source's twelve. They do not balance positions: the egocentric option is never D."""


@dataclass(frozen=True, slots=True)
class Trial:
    """One question.

    Args:
        item_class, text: the card.
        options: the texts of A, B, …; four, or two if the question is yes or no.
        layout: the order of the options, by their initials; F is the confusable option.
        monkey_deg, screen: the scene, as in `mirror_ray.world.tabletop.card.CardView`.
    """

    item_class: str
    text: str
    options: tuple[str, ...]
    kinds: tuple[OptionKind, ...]
    layout: str
    monkey_deg: int | None
    screen: Screen

    @property
    def gold(self) -> str:
        """The label of the right option."""
        return LABELS[self.kinds.index("correct")]


def n_scenes(condition: Condition, settings: Settings) -> int:
    """Return how many scenes a condition has. Scene seeds start at 0."""
    if condition.question == "visible":
        return 2 * len(L1_STRINGS)
    return len(_items(settings)) * settings.layouts


def list_episodes(cell: Cell, shape: Shape, _earlier: Earlier | None) -> Iterator[EpisodeSpec]:
    """Return a cell's episodes: every seed × run. Raise SweepError for a scene seed beyond the
    design, or axes that contradict each other."""
    condition, settings = CONDITIONS[cell.condition], Settings.of(cell)
    if settings.scene == "upright" and settings.angle_deg != 180:
        raise SweepError(
            f"{shape.where}.scene",
            f"upright with angle_deg {settings.angle_deg}",
            "flat where the monkey sits at the side: a standing card has but a front and a back",
            "give scene: upright a separate stage, with angle_deg 180",
        )
    if settings.length is not None and settings.angle_deg != 180:
        raise SweepError(
            f"{shape.where}.strings",
            f"length-{settings.length} with angle_deg {settings.angle_deg}",
            f"{SET!r} where the monkey sits at the side: words have no shape turned by 90°",
            f"give angle_deg {settings.angle_deg} a separate stage, without strings",
        )
    bound = n_scenes(condition, settings)
    beyond = [seed for seed in shape.seeds if seed >= bound]
    if beyond:
        raise SweepError(
            f"{shape.where}.seeds",
            f"scene {beyond[0]} of {cell.condition}",
            f"scenes 0–{bound - 1}: {cell.condition} has {bound} with these axes",
            f"seeds: {bound}, in a separate stage if other conditions have more; "
            "runs repeats scenes",
        )
    for scene_seed in shape.seeds:
        for run in range(shape.runs):
            yield EpisodeSpec(cell, scene_seed, run)


def trial_of(spec: EpisodeSpec) -> Trial:
    """Return the question of an episode, which is the same for every model and every run."""
    condition, settings = CONDITIONS[spec.cell.condition], Settings.of(spec.cell)
    if condition.question == "visible":
        return _visibility_trial(spec.scene_seed, settings)
    items = _items(settings)
    item = items[spec.scene_seed % len(items)]
    layouts = LAYOUTS if settings.layouts == len(LAYOUTS) else FULL_LAYOUTS
    # Shifted by the item, so that any range of seeds shows the layouts as evenly as possible.
    layout = layouts[(spec.scene_seed // len(items) + spec.scene_seed) % len(layouts)]
    statements = STATEMENTS if settings.scene == "flat" else STATEMENTS_UPRIGHT
    words = statements if condition.question == "same" else None
    shows_monkey = condition.question != "turned" or spec.cell.variant not in WITHOUT_MONKEY
    return Trial(
        item_class=item.item_class,
        text=item.text,
        options=tuple(words[kind] if words else item.options.text(kind) for kind in layout),
        kinds=layout,
        layout="".join(_INITIALS[kind] for kind in layout),
        monkey_deg=settings.angle_deg if shows_monkey else None,
        screen="none",
    )


def what_is_shown(spec: EpisodeSpec) -> str:
    """Return a name of the episode's picture, which is the same for all orders of the options."""
    trial = trial_of(spec)
    return f"{trial.text} {trial.monkey_deg} {trial.screen}"


def unit_of(spec: EpisodeSpec) -> str:
    """Return the independent unit: a string in all its layouts."""
    return trial_of(spec).text


def type_size_of_set(settings: Settings) -> int:
    """Return the type size of all texts in the set, in pixels of the card's texture.

    It fits the widest text, so that two cards of a set differ only in their text."""
    return _common_type_size(tuple(item.text for item in _items(settings)))


@lru_cache(maxsize=16)
def _common_type_size(texts: tuple[str, ...]) -> int:
    return min(type_size_px(text, *CARD_TEXTURE_PX) for text in texts)


def _items(settings: Settings) -> tuple[FlipCard, ...]:
    if settings.length is not None:
        return generated_items(settings.length)
    return ITEMS if settings.angle_deg == 180 else QUARTER_ITEMS[settings.angle_deg]


def _visibility_trial(scene_seed: int, settings: Settings) -> Trial:
    """[Ours] Show every string once hidden and once visible; yes is the first option in half of
    each.

    Answering yes about a hidden card is the egocentric mistake, because the viewer does see the
    card."""
    text = L1_STRINGS[scene_seed % len(L1_STRINGS)]
    item_class = next(item.item_class for item in ITEMS if item.text == text)
    is_hidden = (scene_seed // len(L1_STRINGS) + scene_seed) % 2 == 0
    yes: tuple[str, OptionKind] = ("Yes", "egocentric" if is_hidden else "correct")
    no: tuple[str, OptionKind] = ("No", "correct" if is_hidden else "random")
    order = (yes, no) if (scene_seed // 2) % 2 == 0 else (no, yes)
    return Trial(
        item_class=item_class,
        text=text,
        options=tuple(word for word, _ in order),
        kinds=tuple(kind for _, kind in order),
        layout="".join(_INITIALS[kind] for _, kind in order),
        monkey_deg=settings.angle_deg,
        screen="between" if is_hidden else "behind",
    )
