"""What a manifest says of changes: what still holds, and that it may say anything."""

from dataclasses import replace

import pytest

from mirror_ray.records.control_changes import (
    CHANGES_KEY,
    MOST_CHANGES,
    ControlChange,
    as_facts,
    budget_now,
    change_lines,
    changes_in,
    lasting,
)

LOWER = ControlChange("t", "budget", "", "budget_usd", 3.0, 5.0, 5.0, "process 7")
SLOWER = ControlChange("t", "limits", "key", "rpm", 10.0, 60.0, 60.0, "process 7")


def manifest(*runs):
    return {"runs": [{CHANGES_KEY: as_facts(changes)} for changes in runs]}


def test_the_latest_change_holds_until_the_sweep_says_something_else():
    recorded = manifest([LOWER, SLOWER], [replace(LOWER, value=4.0, before=3.0)])
    assert budget_now(recorded, 5.0) == 4.0
    assert budget_now(recorded, 6.0) == 6.0
    planned = {("", "budget_usd"): 5.0, ("key", "rpm"): 60.0}
    assert lasting(changes_in(recorded), planned) == {("", "budget_usd"): 4.0, ("key", "rpm"): 10.0}
    assert change_lines(recorded)[0] == "t: budget: budget_usd 5 → 3 (process 7)"


@pytest.mark.parametrize(
    "said",
    [
        None,
        7,
        {"at": 1},
        [None, 3, {}],
        [{"at": "\x1b[2J", "command": ["x"], "value": "many", "setting": {}, "planned": -1e999}],
        [{"command": "limits", "subject": "k" * 9_999, "setting": "rpm", "value": float("nan")}],
        [{}] * (MOST_CHANGES + 5),
    ],
)
def test_whatever_it_says_is_read_and_printable(said):
    read = changes_in({"runs": [{CHANGES_KEY: said}, None, 3]})
    assert len(read) <= MOST_CHANGES
    assert all(line.isprintable() for line in change_lines({"runs": [{CHANGES_KEY: said}]}))
    assert lasting(read, {("", "budget_usd"): None}) == {}
