"""What the commands print: what a record, a failure or a person says is text, never markup."""

import json
from math import inf, nan

from mirror_ray.cli import main
from mirror_ray.cli.show import print_json
from mirror_ray.cli.verify import _show
from mirror_ray.replay.verify import Difference, EpisodeCheck


def test_what_a_departure_says_is_printed_as_it_is(capsys):
    said = "cannot be played: ask 2: KeyError: [/red] [bold]"
    check = EpisodeCheck("00ff", frames=1, others=(), departure=said)
    host = Difference("renderer", "Mesa [LLVM]", "Mesa [/]")
    _show("different episode", [check], [host], tolerance_px=30)
    shown = capsys.readouterr().out
    assert "KeyError: [/red] [bold]" in shown
    assert "Mesa [LLVM]" in shown
    assert "Mesa [/]" in shown


def test_a_pattern_that_names_no_model_is_printed_as_it_is(capsys):
    assert main(["models", "[zz]*"]) == 2
    assert "no model matches '[zz]*'" in capsys.readouterr().err


def test_a_pattern_that_names_no_model_leaves_json_alone(capsys):
    assert main(["models", "gpt*", "--json"]) == 2
    shown = capsys.readouterr()
    assert not shown.out
    assert "'*gpt*' names openai/gpt-5.1" in shown.err


def test_json_has_null_where_it_has_no_number(capsys):
    print_json([{"p": nan, "gap_px": inf, "n": 3, "pair": (0.5, -inf)}])
    assert json.loads(capsys.readouterr().out, parse_constant=str) == [
        {"p": None, "gap_px": None, "n": 3, "pair": [0.5, None]}
    ]
