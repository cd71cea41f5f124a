"""Which domains are a model's weak ones: exp9 follows from its own exp1."""

from collections.abc import Mapping
from typing import Any

import duckdb
import pyarrow as pa
import pytest

from mirror_ray.contract.listing import Shape
from mirror_ray.core.identity import Cell
from mirror_ray.families.metacog.bank.question import DOMAINS
from mirror_ray.families.metacog.family import FAMILY
from mirror_ray.families.metacog.weak_domains import own_accuracy, weak_domains
from mirror_ray.records.schemas import EPISODES, STEPS, with_family_columns

UNINFORMED, EXP9 = (
    Cell("metacog", condition, (("subject", "m"),), 0.0, "paper", ())
    for condition in ("exp9-C1", "exp9-C2")
)


class Rows:
    """Earlier stages over rows made here, for the real query."""

    def __init__(self, correct: Mapping[str, list[bool | None]], unfinished: int = 0) -> None:
        self._unfinished = unfinished
        self._database = duckdb.connect()
        episodes, steps = [], []
        for domain, own in correct.items():
            for channel, model, temperature in (
                ("natural", "m", 0.0),
                ("wagering", "m", 0.0),
                ("natural", "other", 0.0),
                ("natural", "m", 0.7),
            ):
                counts = (channel, model, temperature) == ("natural", "m", 0.0)
                for one in own if counts else [True] * 50:
                    common = {"episode_id": f"{len(steps)}"}
                    steps.append(common | {"domain": domain, "phase": "answer", "correct": one})
                    episodes.append(
                        common
                        | {"condition": "exp1", "channel": channel, "model": model}
                        | {"temperature": temperature, "error_kind": "none"}
                    )
        for name, rows in (("steps", steps), ("episodes", episodes)):
            schema = with_family_columns(
                {"steps": STEPS, "episodes": EPISODES}[name],
                {"steps": FAMILY.step_columns, "episodes": FAMILY.episode_columns}[name],
            )
            whole = [dict.fromkeys(schema.names) | one for one in rows]
            loose = pa.schema([field.with_nullable(True) for field in schema])
            self._database.register(name, pa.Table.from_pylist(whole, schema=loose))

    def rows(self, sql: str, **parameters: object) -> list[dict[str, Any]]:
        cursor = self._database.execute(sql, parameters or None)
        names = [column[0] for column in cursor.description or ()]
        return [dict(zip(names, values, strict=True)) for values in cursor.fetchall()]

    def unfinished(self, model: str) -> int:
        return self._unfinished


def test_accuracy_is_the_models_own_natural_one() -> None:
    rows = Rows(
        {"arithmetic": [True, True, False, None], "spatial": [False, False], "social": [None]}
    )
    assert own_accuracy(EXP9, rows) == {"arithmetic": 0.6667, "spatial": 0.0}


@pytest.mark.parametrize(
    ("accuracy", "weak"),
    [
        ([0.9, 0.2, 0.5, 0.7], ("spatial", "temporal")),
        ([0.5, 0.5, 0.5, 0.5], ("arithmetic", "spatial")),
        ([0.9, 0.9, 0.9, 0.1], ("linguistic",)),
    ],
)
def test_weak_is_below_the_median_or_the_lowest_two(
    accuracy: list[float], weak: tuple[str, ...]
) -> None:
    assert weak_domains(dict(zip(DOMAINS, accuracy, strict=False))) == weak


def test_exp9_waits_for_all_of_a_models_exp1() -> None:
    rows = {domain: [True] * 4 for domain in DOMAINS} | {"social": [False] * 4}
    shape = Shape(range(6), 1, ("m",), {"bank": ""}, "s.yaml: stages.1")
    listing = FAMILY.listings["exp9-C2"]
    assert list(listing.episodes(EXP9, shape, Rows(rows, unfinished=1))) == []
    specs = list(listing.episodes(EXP9, shape, Rows(rows)))
    assert len(specs) == 6
    assert all(spec.given["accuracy"]["social"] == 0.0 for spec in specs)
    assert all(spec.given["weak"] == ["social"] for spec in specs)
    unread = Rows(dict.fromkeys(DOMAINS, [None] * 4))
    assert list(listing.episodes(EXP9, shape, unread)) == []


def test_uninformed_fixed_tasks_do_not_depend_on_any_score() -> None:
    shape = Shape(range(2), 1, ("m",), {"bank": ""}, "s.yaml: stages.1")
    for correct in ([True] * 4, [False] * 4, [None] * 4):
        rows = Rows(dict.fromkeys(DOMAINS, correct))
        specs = FAMILY.listings["exp9-C1"].episodes(UNINFORMED, shape, rows)
        assert [spec.given for spec in specs] == [{}, {}]
