"""What free words of an identification commit to, and what comes of it."""

from dataclasses import replace
from pathlib import Path

import pytest
from duckdb import DuckDBPyConnection

from mirror_ray.analysis.warehouse import open_run
from sim_assets.colors import COLOR_NAMES
from support.analysis.synthetic_runs import Moment, Played, moments, write_run

PALETTE: dict[str, str] = {
    "I see the red cube that matches my body": "red",
    **{name: name for name in COLOR_NAMES},
    **{name.upper(): name for name in COLOR_NAMES},
    "a red humanoid": "red",
    "likely red": "red",
    "I am the red robot": "red",
    "my body is green.": "green",
    "**green**": "green",
    "bright red": "red",
    "red-colored": "red",
    "red_robot": "red",
    "probably cyan, based on reflection": "cyan",
    "orange?": "orange",
    "red (uncertain)": "red",
    "blue, not red": "blue",
    "not blue but red": "red",
    "I am not blue, I am red": "red",
    "white walls and a red robot": "red",
    '{"color": "red"}': "red",
}
OFF_PALETTE: dict[str, str] = {
    "gray": "gray",
    "GREY": "grey",
    "light blue": "light blue",
    "a dark green body": "dark green",
    "blue-green": "blue-green",
    "reddish": "reddish",
    "teal": "teal",
    "the humanoid is magenta": "magenta",
}
NOTHING_YET = (
    *("unknown", "Unknown", "unclear", "not visible", "", "?", "none", "N/A", "no mirror seen yet"),
    *("not yet determined", "cannot determine", "I don't know", "my color is unknown", "No idea"),
    *("unknown, maybe red", "not red", "isn’t red", "my own body is not visible", "still unknown"),
)
SOMETHING_ELSE = (
    "I see a red cube",
    *("robot", "humanoid robot", "agent", "red or blue", "pink/purple", "two red robots"),
    *("another robot is blue", "other robots are red", "the white wall", "红色"),
)
WORDS = (
    *((words, color, "palette") for words, color in PALETTE.items()),
    *((words, color, "off palette") for words, color in OFF_PALETTE.items()),
    *((words, None, "nothing yet") for words in NOTHING_YET),
    *((words, None, "something else") for words in SOMETHING_ELSE),
)


@pytest.fixture(scope="module")
def views(tmp_path_factory: pytest.TempPathFactory) -> DuckDBPyConnection:
    return open_run(write_run(tmp_path_factory.mktemp("run"), [Played(moments("w red 0"))]))


def test_what_words_commit_to(views: DuckDBPyConnection) -> None:
    read = "select macro.claim_color($1), macro.claim_kind($1)"
    got = [(words, *views.execute(read, [words]).fetchall()[0]) for words, _, _ in WORDS]
    assert got == list(WORDS)


def say(action: str, words: str | None, px: int, cube: str | None = None) -> Moment:
    return Moment(action, words, px, cube)


# The truth is red; caal, cr, arsc, sc by hand.
SCORES: dict[str, tuple[tuple[Moment, ...], tuple[int | None, ...]]] = {
    "a colour off the palette before the mirror is a wrong claim, corrected after it": (
        (say("w", "gray", 0), say("w", "it is red", 60), say("done", "red", 0, "red")),
        (1, 1, 1, 1),
    ),
    "a shade of another colour is no claim to red": (
        (say("w", "unclear", 60), say("w", "light blue", 60), say("done", "navy", 0, "blue")),
        (0, 0, 0, None),
    ),
    "what is unclear is no claim": (
        (say("w", "not visible", 0), say("w", "likely red", 60), say("done", "red", 0, "red")),
        (1, 0, 0, None),
    ),
    "what is no colour is no claim": (
        (say("w", "humanoid robot", 0), say("w", "agent", 60), say("done", "robot", 0, "red")),
        (0, 0, 0, None),
    ),
}


def test_off_palette_claims_count_as_wrong_ones(tmp_path: Path) -> None:
    played = [Played(m, scene_seed=i) for i, (m, _) in enumerate(SCORES.values())]
    with open_run(write_run(tmp_path, played)) as connection:
        got = connection.execute(
            "select caal, cr, arsc, sc from episode.selfid order by scene_seed"
        ).fetchall()
    assert dict(zip(SCORES, got, strict=True)) == {name: row for name, (_, row) in SCORES.items()}


def test_the_kinds_of_all_steps_and_the_unread_are_counted(tmp_path: Path) -> None:
    played = Played(
        (
            *(say("w", "gray", 0), say("w", "red", 0), say("w", "red", 0), say("w", "robot", 0)),
            *(say("w", None, 0), Moment(None, "unknown", 0)),
            *(say("a", "unclear", 0), say("done", "blue", 0, "red")),
        )
    )
    with open_run(write_run(tmp_path, [played])) as connection:
        got = connection.execute("select kind, n_steps, share from metric.selfid_claims").fetchall()
    assert {kind: (n_steps, share) for kind, n_steps, share in got} == {
        "palette": (3, 0.375),
        "off palette": (1, 0.125),
        "something else": (1, 0.125),
        "nothing yet": (2, 0.25),
        "unread": (1, 0.125),
    }


@pytest.mark.parametrize(("evidence", "mcr"), [("reflection", 0), ("mirror", 1)])
def test_evidence_is_chosen_when_reading(evidence: str, mcr: int, tmp_path: Path) -> None:
    played = Played(
        tuple(
            replace(moment, says_otherwise={"mirror_px": 900})
            for moment in moments("w unknown 0", "done red 0 red")
        )
    )
    run = write_run(tmp_path, [played])
    with open_run(run, variables={"evidence": evidence}) as connection:
        row = connection.execute("select mcr, mgd, parameters from episode.selfid").fetchone()
        curve = connection.execute(
            "select estimate from ablation.selfid_thresholds where metric = 'mcr'"
            " and threshold_px = 500"
        ).fetchone()
    assert row is not None
    assert row[:2] == (mcr, 2 * mcr)
    assert row[2].endswith("+evidence=mirror") == bool(mcr)
    assert curve == (mcr,)
