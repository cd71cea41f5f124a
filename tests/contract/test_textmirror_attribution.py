"""Who knows whose style is whose: planted writers and readers, from prompts to tables."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from mirror_ray.analysis.warehouse import open_run
from mirror_ray.contract.listing import Shape
from mirror_ray.core.errors import SweepError
from mirror_ray.core.identity import Cell, EpisodeSpec, seeded
from mirror_ray.families.textmirror.agents import STYLE_OF
from mirror_ray.families.textmirror.agents.styles import sentence
from mirror_ray.families.textmirror.family import FAMILY
from mirror_ray.families.textmirror.listings import LISTINGS
from support.agents_at_play import play_agents

MODELS = tuple(f"scripted/{name}" for name in ("ornate", "terse", "jolly"))
SHAPE = Shape(
    seeds=range(40),
    runs=1,
    models=MODELS,
    options={name: axis.default for name, axis in FAMILY.options.items()},
    where="sweep.yaml: stages.2",
)


def cell(condition: str, model: str) -> Cell:
    return Cell("textmirror", condition, (("subject", model),), 0.7, "paper")


def revisions(author: str) -> Iterator[EpisodeSpec]:
    """As if every author's stories were revised by all."""
    for editor in MODELS:
        for seed in range(40):
            given = {
                "parent_id": f"{author}{seed}",
                "author": author,
                "seed_text": f"{seed}",
                "seed_origin": "built-in",
                "sentences": ["One.", "Two.", "Three.", "Four.", "Five."],
                "position": 1 + seed % 5,
            }
            yield EpisodeSpec(cell("revision", editor), seed, 0, given)


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], dict[str, Any]]:
    out = tmp_path_factory.mktemp("attribution")
    specs = []
    for reader in MODELS:
        listed = LISTINGS["attribution"].presumed
        assert listed is not None
        for spec in listed(cell("attribution", reader), SHAPE, list(revisions(reader))):
            style = STYLE_OF[spec.given["editor"].removeprefix("scripted/")]
            rng = seeded("test", reader, spec.given["editor"], spec.scene_seed)
            written = {**spec.given, "revised_sentence": sentence(style, rng)}
            specs.append(replace(spec, given=written))
    careless = [
        replace(spec, cell=cell("attribution", f"scripted/{name}"))
        for spec in specs
        if spec.cell.model == MODELS[0]
        for name in ("careless", "middling")
    ]
    play_agents(FAMILY, [*specs, *careless], out)
    with open_run(str(out)) as connection:
        rows = connection.execute(
            "select reader, editor, accuracy, n, chance, p_below from metric.textmirror_pairs"
        ).fetchall()
        shares = connection.execute(
            "select reader, editor, named, share from metric.textmirror_named"
        ).fetchall()
    found = {
        (row[0], row[1]): dict(zip(("accuracy", "n", "chance", "p_below"), row[2:], strict=True))
        for row in rows
    }
    for reader, editor, named, share in shares:
        found[reader, editor][named] = share
    return found


@pytest.mark.parametrize("reader", MODELS)
@pytest.mark.parametrize("editor", MODELS)
def test_who_knows_the_styles_knows_the_makers(reader: str, editor: str, table: Any) -> None:
    row = table[reader, editor]
    assert (row["n"], row["chance"]) == (40, pytest.approx(1 / 3))
    assert row["accuracy"] > 0.95
    assert row[editor] == row["accuracy"]


@pytest.mark.parametrize("reader", ["scripted/careless", "scripted/middling"])
def test_a_guess_and_a_habit_are_at_chance(reader: str, table: Any) -> None:
    # The makers stand in every order: always saying the middle one helps nobody.
    right = sum(table[reader, editor]["accuracy"] for editor in MODELS) / 3
    assert right == pytest.approx(1 / 3, abs=0.12)


def test_one_model_alone_cannot_be_told_from_others() -> None:
    alone = replace(SHAPE, models=MODELS[:1])
    listed = LISTINGS["attribution"].presumed
    assert listed is not None
    with pytest.raises(SweepError, match="2 to 26 models"):
        list(listed(cell("attribution", MODELS[0]), alone, list(revisions(MODELS[0]))))
