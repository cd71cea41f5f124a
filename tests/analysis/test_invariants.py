"""Random trajectories: the SQL against the paper's definitions in plain Python, and invariants."""

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from duckdb import DuckDBPyConnection
from hypothesis import given, settings
from hypothesis import strategies as st

from mirror_ray.analysis.warehouse import open_run
from support.analysis.synthetic_runs import Moment, Played, moments, write_run
from support.whole import examples

COLORS = ("red", "blue", "green")
SCORES = ("tsa", "ttd", "mcr", "mtato", "caal", "cr", "tsa_c", "mgd", "arsc", "sc", "sc_final")


def defined_by_the_paper(episode: Played) -> dict[str, int | None]:
    """arXiv 2605.08816, read anew: sets of steps, no SQL in mind."""
    steps = dict(enumerate((m for m in episode.moments if not m.superseded), start=1))
    done_at = [t for t, m in steps.items() if m.action == "done"]
    last = min(done_at) if done_at else max(steps)
    limit = min(done_at) if done_at else last + 1
    evidence = [t for t in range(1, last + 1) if steps[t].sees_px >= 50]
    stated = {t: m.says for t, m in steps.items() if t <= last and m.says not in (None, "unknown")}

    final = (steps[last].cube if episode.cubes else steps[last].says) if done_at else None
    right = int(final == episode.truth)
    saw_before = any(t < limit for t in evidence)
    before = [t for t in stated if t < limit]
    committed_first = bool(before) and (not saw_before or min(before) < min(evidence))
    blind_guess = min((t for t in stated if evidence and t < min(evidence)), default=None)
    misled = blind_guess is not None and stated[blind_guess] != episode.truth
    after = {t for t in stated if evidence and t >= min(evidence)}
    return {
        "tsa": right,
        "ttd": last,
        "mcr": int(saw_before),
        "mtato": int(saw_before) if right else None,
        "caal": int(any(stated[t] == episode.truth for t in before)),
        "cr": int(committed_first),
        "tsa_c": right if done_at else None,
        "mgd": len(evidence),
        "arsc": int(misled),
        "sc": int(any(stated[t] == episode.truth for t in after)) if misled else None,
        "sc_final": int(stated.get(last) == episode.truth) if misled else None,
    }


@st.composite
def episodes(draw: st.DrawFn, condition: str) -> Played:
    saying = st.sampled_from((*COLORS, "unknown", None))
    seen = st.just(0) if condition == "E2" else st.sampled_from((0, 0, 49, 50, 4000))
    walking = st.builds(Moment, st.sampled_from(("w", "a", None)), saying, seen)
    unread = st.builds(Moment, st.none(), st.just("red"), seen, superseded=st.just(True))
    ending = st.builds(
        Moment, st.just("done"), saying, seen, st.sampled_from((*COLORS, "none", None))
    )
    walk = draw(st.lists(walking | walking | unread, max_size=7))
    end = draw(st.lists(ending, max_size=1))
    if not any(not moment.superseded for moment in (*walk, *end)):
        end = [draw(walking)]
    return Played((*walk, *end), condition=condition, cubes=() if condition == "E5" else COLORS)


@st.composite
def runs(draw: st.DrawFn) -> list[Played]:
    conditions = draw(st.lists(st.sampled_from(("E1", "E2", "E5")), min_size=15, max_size=40))
    return [
        replace(draw(episodes(condition)), scene_seed=scene, run=scene % 2)
        for scene, condition in enumerate(conditions)
    ]


def rows(connection: DuckDBPyConnection, view: str) -> list[dict[str, Any]]:
    cursor = connection.execute(f"from {view}")
    names = [column[0] for column in cursor.description or ()]
    return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]


@settings(max_examples=examples(4, 30))
@given(played=runs())
def test_random_trajectories(played: list[Played]) -> None:
    with (
        TemporaryDirectory() as directory,
        open_run(write_run(Path(directory), played), hold=True) as connection,
    ):
        got = {row["episode_id"]: row for row in rows(connection, "episode.selfid")}
        metrics = rows(connection, "metric.selfid")
        violations = rows(connection, "metric.selfid_violations")

    assert violations == []
    for episode in played:
        row = got[episode.episode_id]
        assert {name: row[name] for name in SCORES} == defined_by_the_paper(episode)
    by_condition: dict[str, dict[str, float | None]] = {}
    for row in metrics:
        by_condition.setdefault(row["condition"], {})[row["metric"]] = row["estimate"]
    for condition, estimates in by_condition.items():
        assert estimates["tsa_c"] is None or estimates["tsa"] <= estimates["tsa_c"]
        assert estimates["arsc"] <= estimates["cr"]
        if condition == "E2":
            assert estimates["mcr"] == estimates["mgd"] == estimates["arsc"] == 0
            assert estimates["mtato"] in (0, None)
            assert estimates["caal"] is not None


SOUND = Played(moments("w unknown 60", "done red 60 red"))


BROKEN = [
    (replace(SOUND, condition="E2"), "without a mirror, MCR, MTATO, MGD and ARSC are 0"),
    (replace(SOUND, max_steps=1), "1 ≤ TTD ≤ max_steps"),
    (replace(SOUND, says_otherwise={"terminated": False}), "terminated means done"),
    (replace(SOUND, says_otherwise={"truncated": True}), "truncated means not done"),
    (replace(SOUND, says_otherwise={"n_steps": 3}), "steps are numbered 1 to n_steps"),
    (replace(SOUND, says_otherwise={"ego_reflection_px": None}), "every step knows its evidence"),
    (replace(SOUND, says_otherwise={"ego_direct_px": 7}), "the ego is never seen directly"),
    (replace(SOUND, moments=()), "a whole episode has a score"),
]


def test_a_broken_record_is_named(tmp_path: Path) -> None:
    played = [replace(broken, scene_seed=at) for at, (broken, _) in enumerate(BROKEN)]
    with open_run(write_run(tmp_path, played), hold=True) as connection:
        found = rows(connection, "metric.selfid_violations")
    named = {(row["episode_id"], row["invariant"]) for row in found}
    expected = [one.episode_id for one in played]
    assert named == set(zip(expected, (invariant for _, invariant in BROKEN), strict=True))
    assert len(found) == len(named)
