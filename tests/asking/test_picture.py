"""What is sent in a picture's place, in every family that shows pictures, and what it costs."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from mirror_ray.analysis.warehouse import open_run
from mirror_ray.contract.registry import FAMILIES
from mirror_ray.core.identity import Cell, EpisodeSpec
from mirror_ray.core.types import Ask
from mirror_ray.world.renderer import Renderer
from support.agents_at_play import play_agents
from support.whole import mostly_thorough, one_in

CONDITIONS = {
    "selfid": "E1",
    "marktest": "marked",
    "contingency": "match",
    "dyad": "mirror",
    "flipset": "L2",
    "mirrorqa": "sim-reflected",
}


@pytest.fixture(scope="module")
def renderer() -> Iterator[Renderer]:
    made = Renderer()
    yield made
    made.close()


def spec_of(name: str, model: str, picture: str = "shown", seed: int = 3) -> EpisodeSpec:
    family = FAMILIES[name]
    roles = ("subject", "partner") if name == "dyad" else ("subject",)
    axes = () if picture == "shown" else (("picture", picture),)
    models = tuple((role, model) for role in roles)
    variant = next(iter(family.variants))
    cell = Cell(name, CONDITIONS[name], models, 0.0, variant, axes)
    return EpisodeSpec(cell, seed, 0)


def first_ask(spec: EpisodeSpec) -> Ask:
    return next(FAMILIES[spec.cell.family].play(spec, spec.rng()))


def test_every_family_with_pictures_has_the_axis():
    assert {name for name, one in FAMILIES.items() if one.draws} == set(CONDITIONS)
    assert all("picture" in FAMILIES[name].axes for name in CONDITIONS)


@pytest.mark.parametrize("name", mostly_thorough(2, CONDITIONS))
def test_what_is_sent_in_its_place(name, renderer):
    shown = first_ask(spec_of(name, "m"))
    frame = renderer.draw(shown.views[0])
    sent = {}
    for picture in FAMILIES[name].axes["picture"].choices or ():
        ask = first_ask(spec_of(name, "m", str(picture)))
        assert (ask.system, ask.user) == (shown.system, shown.user)
        sent[picture] = renderer.draw(ask.views[0])
    assert np.array_equal(sent["shown"].rgb, frame.rgb)
    black = sent["black"]
    assert not black.rgb.any()
    assert not any(value for key, value in black.facts.items() if key == "mirror_px")
    assert not np.array_equal(sent["scrambled"].rgb, frame.rgb)
    assert np.array_equal(*(np.sort(one.rgb.ravel()) for one in (sent["scrambled"], frame)))
    assert not np.array_equal(sent["other_scene"].rgb, frame.rgb)
    if "mirror_masked" in sent and frame.facts.get("mirror_px"):
        masked = (sent["mirror_masked"].rgb != frame.rgb).any(axis=2)
        assert 0 < masked.sum() <= frame.facts["mirror_px"]


def test_one_that_looks_loses_what_one_that_guesses_keeps(tmp_path: Path):
    agents = {"marktest": ("mark-observer", "parrot"), "flipset": ("rotator", "position-biased")}
    for name, pair in one_in(2, agents.items()):
        specs = [
            spec_of(name, f"scripted/{agent}", picture, seed)
            for agent in pair
            for picture in ("shown", "black")
            for seed in range(5)
        ]
        play_agents(FAMILIES[name], specs, tmp_path / name)
        with open_run(str(tmp_path / name), hold=True) as run:
            metric = {"marktest": "passed", "flipset": "accuracy"}[name]
            rows = run.execute(
                "select model, n, shown_estimate, blind_estimate, grounded, ci_low, ci_high"
                " from contrast.grounded where metric = $1 and picture = 'black' order by model",
                [metric],
            ).fetchall()
        found = {row[0].removeprefix("scripted/"): row[1:] for row in rows}
        looks, guesses = (found[agent] for agent in pair)
        assert looks[0] == 5
        assert looks[1] > 0.8
        assert looks[3] > 0.5
        # Of one that guesses nothing is lost, or nothing was there to lose.
        assert guesses[1] == guesses[2]
