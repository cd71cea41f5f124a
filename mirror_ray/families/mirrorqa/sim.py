"""Generated items: people and dogs whose every limb is known.

A design becomes a scene and a question; the poses determine the labels, and the painter verifies in
pixels that the limb is visible. [Our decision] throughout."""

from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from mirror_ray.core.identity import seeded
from mirror_ray.core.types import Encoding
from mirror_ray.families.mirrorqa.item import FOUR, OTHER_SIDE, TWO, Item, opposite
from mirror_ray.families.mirrorqa.sim_design import Design, design
from mirror_ray.world.studio.shots import PosingView, Shot, ShotContent, StudioFigure
from sim_assets.figures import COATS, LOOKS

CANDIDATES = 24
"""How many shots of an item are tried, until one shows the limb well.

If none does, the same number is tried from directions nearer to the subject's front or back.
"""

_SHIRTS = ("red", "green", "blue", "yellow", "orange", "purple", "pink", "cyan", "white")
_WORN_COLORS = ("red", "green", "blue", "yellow", "orange", "purple", "pink", "cyan")
_WIDEST_DEG = 80.0
"""The largest angle from straight ahead or behind: seen exactly from the side, a subject faces
neither way. Each shot of an item has a smaller angle than the one before, because from ahead hardly
any limb is hidden."""
_WORN_ON = {"glove": "hand", "boot": "foot", "sock": "leg"}


@dataclass(frozen=True, slots=True)
class SimItem:
    """An item and the simulation's facts about it. `shown` is how its picture shows the subject."""

    item: Item
    design: Design
    shown: ShotContent

    def viewer_answer(self, limb_right_px: float | None) -> str | None:
        """Return the option that is right in the viewer's frame, whose left is the picture's left.

        Args:
            limb_right_px: how far the limb's middle is to the right of its owner's in the picture;
                None without a picture.

        Returns:
            None if there is no such option: without a picture, if it shows the subject twice, or if
                it shows the limb in its very middle.
        """
        if self.shown == "both" or not limb_right_px:
            return None
        side = "right" if limb_right_px > 0 else "left"
        answer = self.item.answer
        return answer if answer.split()[0] == side else opposite(answer)


def sim_item(
    index: int,
    run: int,
    *,
    reflected: bool,
    width_px: int,
    height_px: int,
    encoding: Encoding,
    dog_options: int = len(FOUR),
) -> SimItem:
    """Return item `index` of a run's sequence, seen directly or in the mirror, in one scene.
    Questions about dogs have `dog_options`: four legs, or the two of a named pair."""
    plan = design(index, run)
    rng = seeded("mirrorqa item", index, run)
    in_mirror: ShotContent = "both" if plan.seen_directly else "reflection"
    shown: ShotContent = in_mirror if reflected else "direct"
    colors = _colors(plan, rng)
    worn_color = _worn_color(colors, rng)
    looks = tuple(int(look) for look in rng.permutation(len(LOOKS)))
    place = partial(_shot, plan, colors, worn_color, looks)
    narrowing = tuple(1 - k / CANDIDATES for k in range(CANDIDATES))
    shots = [place(rng, widest_deg=_WIDEST_DEG * share) for share in narrowing]
    options = _options(plan, rng, dog_options)
    # From a separate stream, so that the options equal those of versions without looks.
    further = seeded("mirrorqa item, further shots", index, run)
    shots += [place(further, widest_deg=_WIDEST_DEG / 3 * share) for share in narrowing]
    view = PosingView(
        shots=tuple(shots),
        limb=f"{plan.answer} {plan.part}",
        shown=shown,
        must_show=("direct", in_mirror),
        width_px=width_px,
        height_px=height_px,
        encoding=encoding,
    )
    item = Item(
        name=f"{run}.{index}",
        kind="animal" if plan.kind == "dog" else "human",
        question=_question(plan, colors[0], worn_color, dog_options),
        options=options,
        answer=plan.answer if plan.answer in options else plan.answer.split()[0],
        view=view,
    )
    return SimItem(item, plan, shown)


def _question(plan: Design, color: str, worn_color: str, dog_options: int) -> str:
    whose = f"the {color} dog" if plan.kind == "dog" else f"the person in the {color} shirt"
    # With two options, only the side is asked: the question names the pair of legs.
    end = f"{plan.answer.split()[1]} " if plan.kind == "dog" and dog_options == len(TWO) else ""
    if plan.raised:
        return f"Which {end}{plan.part} of {whose} is raised?"
    return f"On which {end}{_WORN_ON[plan.part]} does {whose} wear the {worn_color} {plan.part}?"


def _options(plan: Design, rng: np.random.Generator, dog_options: int) -> tuple[str, ...]:
    everything = FOUR if plan.kind == "dog" else TWO
    wrong = [option for option in everything if option != plan.answer]
    order = [wrong[i] for i in rng.permutation(len(wrong))]
    if plan.kind == "dog" and dog_options == len(TWO):
        side = plan.answer.split()[0]
        return (side, OTHER_SIDE[side]) if plan.position % 2 == 0 else (OTHER_SIDE[side], side)
    return (*order[: plan.position], plan.answer, *order[plan.position :])


def _colors(plan: Design, rng: np.random.Generator) -> tuple[str, ...]:
    all_of_them = tuple(COATS) if plan.kind == "dog" else _SHIRTS
    return tuple(all_of_them[i] for i in rng.permutation(len(all_of_them))[: 1 + plan.others])


def _worn_color(colors: tuple[str, ...], rng: np.random.Generator) -> str:
    free = [color for color in _WORN_COLORS if color not in colors]
    return free[int(rng.integers(len(free)))]


def _shot(
    plan: Design,
    colors: tuple[str, ...],
    worn_color: str,
    looks: tuple[int, ...],
    rng: np.random.Generator,
    *,
    widest_deg: float,
) -> Shot:
    """Return one way to place all figures, the first anywhere in its quadrant."""
    is_dog = plan.kind == "dog"
    from_axis_deg = round(float(rng.uniform(0.0, widest_deg)), 1)
    sideways_deg = from_axis_deg if plan.facing == "toward" else 180.0 - from_axis_deg
    sign = 1.0 if plan.flank == "left" else -1.0
    subject = StudioFigure(plan.kind, colors[0], looks[0], sign * sideways_deg)
    spacing_m = 0.85 if is_dog else 0.95
    first_side = 1.0 if rng.random() < 0.5 else -1.0
    others = tuple(
        StudioFigure(
            plan.kind,
            color,
            look,
            round(float(rng.uniform(-180.0, 180.0)), 1),
            right_m=side * round(float(rng.uniform(1.0, 1.15)) * spacing_m, 3),
            beyond_m=round(float(rng.uniform(-0.1, 0.5)), 3),
        )
        for color, look, side in zip(colors[1:], looks[1:], (first_side, -first_side), strict=False)
    )
    sides = rng.permutation([plan.answer, opposite(plan.answer)])
    figures = (
        _acting(subject, plan, plan.answer, worn_color),
        *(
            _acting(other, plan, str(side), worn_color)
            for other, side in zip(others, sides, strict=False)
        ),
    )
    low_m, high_m = (0.75, 1.35) if is_dog else (1.1, 1.8)
    return Shot(
        figures,
        distance_m=round(float(rng.uniform(2.7, 3.0) if is_dog else rng.uniform(3.4, 3.8)), 3),
        height_m=round(float(rng.uniform(low_m, high_m)), 3),
        side=1 if rng.random() < 0.5 else -1,
    )


def _acting(figure: StudioFigure, plan: Design, answer: str, worn_color: str) -> StudioFigure:
    limb = f"{answer} {plan.part}"
    if plan.raised:
        return replace(figure, raised=limb)
    return replace(figure, worn=limb, worn_color=worn_color)
