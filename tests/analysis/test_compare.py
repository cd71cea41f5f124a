"""Two runs are compared in pairs: on scenes that both have, over independent units."""

import json
from dataclasses import replace
from pathlib import Path
from shutil import copytree

import pytest
from scipy.stats import binomtest

from mirror_ray.analysis.compare import Comparison, compare
from mirror_ray.analysis.warehouse import open_run
from mirror_ray.cli import main
from mirror_ray.cli.show import console
from mirror_ray.records.decisions import write_decisions
from support.analysis.decided import decided
from support.analysis.flipset_runs import Answered, write_flipset_run
from support.analysis.synthetic_runs import Played, moments, write_run
from support.whole import mostly_thorough, one_in

RIGHT, WRONG = moments("w red 60", "done red 60 red"), moments("w blue 60", "done blue 60 blue")


def run_of(folder: Path, rights: str, *more: Played) -> str:
    """A run whose scenes end as the signs say: + right, - wrong, space: not played."""
    folder.mkdir()
    about = {"versions": {"mirror-ray": folder.name}, "models": {"scripted/observer": {"extra": 1}}}
    manifest = {"schema_version": 3, "sweep_sha": "x", "sweep": {"name": "s"}, "runs": [about]}
    (folder / "manifest.json").write_text(json.dumps(manifest))
    ends = {"+": RIGHT, "-": WRONG}
    played = [Played(ends[sign], scene_seed=at) for at, sign in enumerate(rights) if sign in ends]
    return write_run(folder, [*played, *more])


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    folder = tmp_path_factory.mktemp("compared")
    #               only in A ↓     ↓ only in B
    a = run_of(folder / "A", "++++---+- ", Played(RIGHT, "E3"))
    b = run_of(folder / "B", "+---+--  +", Played(RIGHT, model="scripted/other"))
    return a, b


def compared(a: str, b: str, *metrics: str) -> Comparison:
    with open_run(a, hold=True) as first, open_run(b, hold=True) as second:
        return compare(first, second, metrics)


def test_only_scenes_of_both_count_and_the_test_is_exact(two: tuple[str, str]) -> None:
    found = compared(*two, "tsa")
    (tsa,) = found.cells
    assert (tsa.n, tsa.higher_a, tsa.higher_b, tsa.test) == (7, 3, 1, "mcnemar")
    assert (tsa.a, tsa.b) == (pytest.approx(4 / 7), pytest.approx(2 / 7))
    assert tsa.p == pytest.approx(binomtest(3, 4).pvalue)
    assert tsa.ci_low is not None
    assert tsa.ci_low < tsa.difference < (tsa.ci_high or 0.0)
    assert sorted(row["scene_seed"] for row in found.discordant) == [1, 2, 3, 4]
    assert [cell[1:3] for cell in found.only_a] == [("E3", "scripted/observer")]
    assert [cell[1:3] for cell in found.only_b] == [("E1", "scripted/other")]


def test_repetitions_of_a_unit_are_one_and_of_equal_runs_only(tmp_path: Path) -> None:
    twice = [Answered("correct", run=run) for run in (0, 1)]
    a, b = tmp_path / "a", tmp_path / "b"
    write_flipset_run(a, [*twice, Answered("correct", run=2), Answered("correct", scene_seed=1)])
    write_flipset_run(
        b, [*(replace(one, kind="fail") for one in twice), Answered("correct", scene_seed=1)]
    )
    (accuracy,) = compared(str(a), str(b), "accuracy").cells
    # Both repetitions of a string say one thing; the third has no partner.
    assert (accuracy.n, accuracy.higher_a, accuracy.higher_b) == (2, 1, 0)
    assert (accuracy.a, accuracy.b, accuracy.p) == (1.0, 0.5, 1.0)


def test_holm_is_over_the_cells_of_a_metric(tmp_path: Path) -> None:
    ends = (("a", RIGHT), ("b", WRONG))
    runs = [
        run_of(
            tmp_path / name,
            "",
            *(Played(end, "E1", scene_seed=seed) for seed in range(8)),
            *(Played(end if seed < 6 else RIGHT, "E3", scene_seed=seed) for seed in range(8)),
        )
        for name, end in ends
    ]
    by_condition = {one.condition: one for one in compared(*runs, "tsa").cells}
    assert by_condition["E1"].p == pytest.approx(2 / 2**8)
    assert by_condition["E1"].p_holm == pytest.approx(4 / 2**8)
    assert by_condition["E3"].p_holm == by_condition["E3"].p == pytest.approx(2 / 2**6)


@pytest.mark.thorough("analysis/test_settled.py")
def test_of_a_cell_that_either_run_stopped_early_there_is_no_p(tmp_path: Path) -> None:
    a, b = run_of(tmp_path / "A", "++--"), run_of(tmp_path / "B", "+-+-")
    write_decisions(b, decided("E1", "scripted/observer", "scripted/mute"))
    (tsa,) = compared(a, b, "tsa").cells
    assert (tsa.n, tsa.p, tsa.p_holm) == (4, None, None)
    assert main(["compare", a, b]) == 0


@pytest.mark.thorough("the tables above, without the command")
def test_the_command_says_what_else_differs(
    two: tuple[str, str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["compare", *two, "--metrics", "tsa", "--pairs", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["cells"][0]["higher_a"] == 3
    assert len(told["pairs"]) == 4
    assert "program mirror-ray: A → B" in told["differences"]
    assert main(["compare", *two]) == 0
    shown = capsys.readouterr().out
    assert "Only in A: selfid E3 scripted/observer" in shown
    assert "--pairs lists them" in shown
    assert main(["compare", *two, "--metrics", "tsa", "--format", "csv"]) == 0
    assert capsys.readouterr().out.startswith("family,condition,model")
    assert main(["compare", *two, "--metrics", "nonsense"]) == 2
    assert main(["compare", two[0], two[0]]) == 2
    copytree(two[1], third := f"{two[1]}-again")
    capsys.readouterr()
    assert main(["compare", *two, third]) == 2
    assert "3 run directories" in capsys.readouterr().err


@pytest.mark.parametrize("columns", mostly_thorough(3, [60, 80, 160]))
def test_names_stay_whole_in_a_narrow_terminal(
    tmp_path: Path,
    columns: int,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(console, "_width", columns)
    models = [f"provider/a-model-of-some-length-{size}b" for size in (7, 70)]
    a, b = (
        run_of(
            tmp_path / name,
            "",
            *(
                Played(end if seed < 6 else RIGHT, scene_seed=seed, model=model)
                for model in models
                for seed in range(8)
            ),
        )
        for name, end in (("A", RIGHT), ("B", WRONG))
    )
    assert main(["compare", a, b]) == 0
    lines = capsys.readouterr().out.splitlines()
    for model in models:
        assert sum(model in line for line in lines) == 1
    (head,) = (line.split() for line in lines if line.startswith("metric "))
    assert head[:2] == ["metric", "n"]
    assert head[-1] == "Holm"
    tsa = [line.split() for line in lines if line.startswith("tsa ")]
    assert len(tsa) == 2
    assert {line[1] for line in tsa} == {"8"}
    assert {line[-1] for line in tsa} == {"0.063"}
    table = lines[lines.index(next(line for line in lines if line.startswith("metric"))) :]
    assert all(len(line) <= columns for line in table[: 2 * len(tsa)])


def test_of_very_many_cells_the_clearest_are_shown_and_all_are_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """All 40 models were right in all of A's eight scenes; in B model n is in n modulo 5."""
    names = [f"made-up/model-{number:02d}" for number in range(40)]
    a, b = (
        run_of(
            tmp_path / side,
            "",
            *(
                Played(RIGHT if scene < n_right else WRONG, scene_seed=scene, model=name)
                for number, name in enumerate(names)
                for n_right in [8 if side == "A" else number % 5]
                for scene in range(8)
            ),
        )
        for side in "AB"
    )
    monkeypatch.setattr(console, "_width", 80)
    assert main(["compare", a, b, "--metrics", "tsa"]) == 0
    said = capsys.readouterr().out
    clearest = [number for number in range(40) if number % 5 < 3]
    next_ones = [number for number in range(40) if number % 5 == 3][: 30 - len(clearest)]
    expected = [names[number] for number in sorted(clearest + next_ones)]
    assert [line.strip() for line in said.splitlines() if line.strip() in names] == expected
    assert "30 of 40 cells that differ" in said
    assert "tsa: higher in A in 40 cells, in B in 0; p (Holm) < 0.05 in 0" in said
    assert main(["compare", a, b, "--metrics", "tsa", "--json"]) == 0
    assert len(json.loads(capsys.readouterr().out)["cells"]) == 40


def test_what_a_manifest_leaves_out_at_its_default_is_no_difference(tmp_path: Path, capsys) -> None:
    runs = []
    for name, start in (
        ("A", {"models": {"scripted/observer": {"extra": 1}}}),
        ("B", {"models": {"scripted/observer": {"extra": 1, "headers": {}, "tier_of": None}}}),
    ):
        run = run_of(tmp_path / name, "++-")
        manifest = json.loads(Path(run, "manifest.json").read_text())
        manifest["sweep"]["stages"] = [{"family": "selfid"}]
        manifest["runs"] = [start | {"protocols": {"selfid": 1}}]
        Path(run, "manifest.json").write_text(json.dumps(manifest))
        runs.append(run)
    assert main(["compare", *runs, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["differences"] == []
    manifest["runs"][0]["protocols"] = {"selfid": 2}
    Path(runs[1], "manifest.json").write_text(json.dumps(manifest))
    assert main(["compare", *runs, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["differences"] == ["protocol of selfid: 1 → 2"]


def test_what_a_condition_does_not_have_is_not_compared(tmp_path: Path) -> None:
    found = compared(*(run_of(tmp_path / name, "+", Played(RIGHT, "E2")) for name in "AB"))
    of_e1, of_e2 = (
        {one.metric for one in found.cells if one.condition == name} for name in ("E1", "E2")
    )
    assert {"tsa", "mgd", "mcr", "arsc"} <= of_e1
    assert {"tsa", "caal"} <= of_e2
    assert not of_e2 & {"mgd", "mcr", "mtato", "arsc", "sc"}


def test_lists_are_words_and_equal_runs_have_no_pairs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    a, b = run_of(tmp_path / "A", "++--"), run_of(tmp_path / "B", "++--")
    path = Path(b) / "manifest.json"
    manifest = json.loads(path.read_text())
    manifest["runs"][0]["withheld"] = {f"lab/m-{n}": ["seed", "n"] for n in range(1_000)}
    path.write_text(json.dumps(manifest))
    capsys.readouterr()
    assert main(["compare", a, b, "--pairs"]) == 0
    said = capsys.readouterr().out
    assert "not sent to lab/m-7: nothing → seed, n\n" in said
    assert "lab/m-700:" not in said
    assert "more differences\n" in said
    assert said.endswith("No pair differs.\n")
    for kind in one_in(3, ("csv", "md", "tex")):
        assert main(["compare", a, b, "--pairs", "--format", kind]) == 0
