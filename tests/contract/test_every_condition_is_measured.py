"""Every condition of every family, and each of metacog's axes, ends in at least one number.

What is bought and reaches no metric is bought for nothing.
"""

import json
from collections.abc import Iterator, Sequence
from contextlib import closing
from itertools import combinations
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest
from PIL import Image

from mirror_ray.analysis.warehouse import open_run
from mirror_ray.contract.family import Family, advance
from mirror_ray.contract.listing import Shape
from mirror_ray.contract.registry import FAMILIES
from mirror_ray.core.identity import Cell, EpisodeSpec, Scalar, seeded
from mirror_ray.core.types import Observation, Outcome, Reply, Turn
from mirror_ray.families.metacog.agents.beliefs import SKILLS
from mirror_ray.families.metacog.weak_domains import weak_domains
from support.agents_at_play import play_agents

pytestmark = pytest.mark.thorough("families/test_families.py plays every condition")

AGENTS = {
    "selfid": "observer",
    "textmirror": "ornate",
    "metacog": "calibrated",
    "flipset": "rotator",
    "mirrorqa": "first-option",
    "marktest": "parrot",
    "contingency": "place-guesser",
    "dyad": "cube-guesser",
}
SEEDS = {"textmirror": 2, "metacog": 16, "flipset": 2, "mirrorqa": 2}
"""Of the other families one."""
LISTED = [(name, condition) for name in FAMILIES for condition in FAMILIES[name].conditions]

# Condition → the number of `summary.metacog` that it alone, with experiment 1, gives.
OF_METACOG = {
    "exp1": ("natural_accuracy", "gap", "mci", "ece"),
    "exp2": ("tii",),
    "exp3": ("cce_printed", "cce_code"),
    "exp4": ("ai_true", "ai_false", "ai_true_tools"),
    "exp5": ("ars",),
    "exp6a": ("ssr",),
    "exp6b": ("fdr", "false_positive_rate"),
    "exp6c": ("given_up_rate",),
    "exp9-C1": ("cfr_c1", "tailored_cfr_c1"),
    "exp9-C2": ("cfr_c2", "tailored_cfr_c2", "cfr_c2_false"),
    "exp9-C3": ("cfr_c3", "tailored_cfr_c3"),
    "exp9-C4": ("cfr_c4", "tailored_cfr_c4"),
}
# Conditions with views of their own.
OF_VIEWS = {
    "staircase": "select 'accuracy' from metric.metacog_staircase where accuracy is not null",
    "judge": "select 'agreement' from metric.metacog_judged where agreement is not null",
}
VARIED: dict[str, list[dict[str, Scalar]]] = {
    "exp1": [{"channel": name} for name in ("natural", "opt_out", "tools", "prediction")] + [{}],
    "exp2": [{}, {"channel": "natural"}],
    "exp4": [{}, {"feedback": "false"}],
    "exp5": [{}, {"attack": "authority"}],
    "exp9-C2": [{}, {"task_set": "tailored"}, {"scores": "false"}],
    **{f"exp9-C{n}": [{}, {"task_set": "tailored"}] for n in (1, 3, 4)},
}
WRITTEN_TO = {"story", "pooled_story"}
"""Equal words about a model's own seeds, and about those of all models."""
MOST_ASKS = 8
REPLY = '{"action": "w", "identification": "unknown", "selected_cube": "none", "answer": "A"}'
REPLY_OF = {"contingency": '{"move": "up", "answer": "unsure"}'}
"""Where that one moves nothing."""
OWN = {"accuracy": dict(SKILLS), "weak": list(weak_domains(SKILLS))}


def data_folder(root: Path) -> Path:
    """MirrorQA's published layout, with two rows."""
    (root / "vqa_files").mkdir()
    (root / "images").mkdir()
    rows = [
        {
            "image": f"human_ear{place}.jpg",
            "question": "Which ear of the man is shown in the picture?",
            "options": ["A. Left", "B. Right"],
            "answer": answer,
        }
        for place, answer in enumerate("AB")
    ]
    lines = "\n".join(json.dumps(row) for row in rows)
    (root / "vqa_files" / "test.jsonl").write_text(lines, encoding="utf-8")
    for row in rows:
        Image.fromarray(np.zeros((6, 8, 3), np.uint8)).save(root / "images" / str(row["image"]))
    return root


def _cells(family: Family, condition: str) -> Iterator[Cell]:
    for axes in VARIED.get(condition, [{}]) if family.name == "metacog" else [{}]:
        # An agent's sycophancy is what some of metacog's numbers are about.
        agent = "sycophantic" if condition in ("exp6a", "exp6c") else AGENTS[family.name]
        if family.name == "metacog" and condition in ("exp1", "exp2"):
            agent = "calibrated"
        variant = next(iter(family.variants))
        # Who reads, and who revised: two models of textmirror.
        for name in (agent, "terse") if family.name == "textmirror" else (agent,):
            listing = family.listings.get(condition)
            beside = (role for role, its in family.beside.items() if condition in its)
            roles = (listing.role if listing else "subject", *beside)
            who = tuple((role, f"scripted/{name}") for role in roles)
            yield Cell(family.name, condition, who, 0.0, variant, tuple(sorted(axes.items())))


def _specs(family: Family, folder: str) -> Iterator[EpisodeSpec]:
    before: list[EpisodeSpec] = []
    for condition in family.conditions:
        for cell in _cells(family, condition):
            for spec in _listed(family, cell, before, folder):
                before.append(spec)
                yield spec


def _listed(
    family: Family, cell: Cell, before: Sequence[EpisodeSpec], folder: str
) -> list[EpisodeSpec]:
    options = {name: axis.default for name, axis in family.options.items()}
    if "data" in options:
        options["data"] = folder
    seeds = SEEDS.get(family.name, 1)
    models = ("scripted/ornate", "scripted/terse")
    shape = Shape(range(seeds), 1, models, options, "here")
    listing = family.listings.get(cell.condition)
    if listing is None:
        return [EpisodeSpec(cell, seed, 0) for seed in range(seeds)]
    if listing.presumed is not None:
        fed = [
            one
            for one in before
            if one.cell.condition in listing.after and listing.feeds(one.cell, cell)
        ]
        return [
            EpisodeSpec(
                one.cell, one.scene_seed, one.run, OWN if "accuracy" in one.given else one.given
            )
            for one in listing.presumed(cell, shape, fed)
        ]
    return list(listing.episodes(cell, shape, None))


@pytest.fixture(scope="module")
def numbers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, set[str]]]:
    """Family → condition → its metrics that have a value; metacog's are those of its summary."""
    found: dict[str, dict[str, set[str]]] = {}
    for name, family in FAMILIES.items():
        out = tmp_path_factory.mktemp(name)
        folder = data_folder(tmp_path_factory.mktemp("data"))
        play_agents(family, _specs(family, str(folder)), out)
        with open_run(str(out), hold=True) as connection:
            found[name] = _valued(connection, name)
    return found


def _valued(connection: duckdb.DuckDBPyConnection, name: str) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    rows: list[Any] = connection.execute(
        f"select condition, metric from metric.{name} where n > 0 and estimate is not null"  # noqa: S608 - our own names
    ).fetchall()
    for condition, metric in rows:
        found.setdefault(condition, set()).add(metric)
    if name == "metacog":
        query = "select metric from summary.metacog where estimate is not null"
        summed = {metric for (metric,) in connection.execute(query).fetchall()}
        found = dict.fromkeys(found, summed)
        for condition, query in OF_VIEWS.items():
            found[condition] = {str(row[0]) for row in connection.execute(query).fetchall()}
    return found


@pytest.mark.parametrize(("family", "condition"), LISTED)
def test_a_condition_reaches_a_metric(
    family: str, condition: str, numbers: dict[str, dict[str, set[str]]]
) -> None:
    metrics = numbers[family].get(condition, set())
    assert metrics - {"readable", "usable"} or condition in (
        "seeds",
        "story",
        "pooled_story",
        "revision",
    )
    assert metrics
    if family == "metacog" and condition not in OF_VIEWS:
        assert set(OF_METACOG[condition]) <= metrics


def _what_is_sent(family: Family, spec: EpisodeSpec) -> list[str]:
    """The words and views of the first asks, every one answered as in every other condition."""
    reply = REPLY_OF.get(family.name, REPLY)
    with closing(family.play(spec, seeded("scene", str(spec.scene_seed)))) as playing:
        sent, turn = [], None
        while len(sent) < MOST_ASKS:
            said = advance(playing, turn)
            if isinstance(said, Outcome):
                break
            sent.append(repr((said.system, said.user, said.views)))
            turn = Turn(Observation((), None, {}), Reply(reply, finish_reason="stop"))
    return sent


@pytest.mark.parametrize("name", FAMILIES)
def test_no_condition_is_another_under_a_second_name(name: str, tmp_path: Path) -> None:
    """Each changes words, pictures or motion: else a flag that nobody reads plays as E1."""
    family = FAMILIES[name]
    sent: dict[str, list[list[str]]] = {}
    for spec in _specs(family, str(data_folder(tmp_path))):
        if len(sent.setdefault(spec.cell.condition, [])) < 2:
            sent[spec.cell.condition].append(_what_is_sent(family, spec))
    assert set(sent) == set(family.conditions)
    for one, other in combinations(sent, 2):
        assert sent[one] != sent[other] or {one, other} == WRITTEN_TO, (one, other)
