"""The slips of a first week: each ends with its exit code and says what to type instead."""

from pathlib import Path

import pytest

from mirror_ray.cli import main

GOOD = """\
models: [scripted/observer]
stages:
  - family: selfid
    conditions: [E1, E2]
    seeds: 2
    runs: 1
    max_steps: 4
"""

# What is replaced in the file, by what, and what the message contains.
IN_THE_FILE = [
    ("[scripted/observer]", "[scripted/obsrver]", "did you mean 'observer'?"),
    ("[scripted/observer]", "[opnai/gpt-5.1]", "my.yaml:1:10: models.0"),
    ("[scripted/observer]", "", "the names of models"),
    ("[scripted/observer]", "[]", "an empty list"),
    ("[scripted/observer]", "[scripted/observer", "close it with ]"),
    ("[scripted/observer]", "['scripted/obs*r', 'nobody/*']", "list the names: mirror-ray models"),
    ("[scripted/observer]", "{scripted/observer: 1}", "a map with scripted/observer"),
    ("[scripted/observer]", "*", 'write "*…"'),
    ("[scripted/observer]", "@best", 'write "@…"'),
    ("[scripted/observer]", "a: b", "a second colon in one line"),
    ("[scripted/observer]", "'scripted/observer", "a quotation mark that is not closed"),
    ("models:", "model:", "did you mean 'models'?"),
    ("models:", "Models:", "did you mean 'models'?"),
    ("models: [scripted/observer]\n", "", "required: the names of models"),
    ("stages:", "stage:", "did you mean 'stages'?"),
    ("stages:", "stages: many\nstage:", "where a list belongs"),
    ("  - family", "    family", "the dash before its first key is missing"),
    ("  - family", "\t- family", "replace each tab with two spaces"),
    ("    conditions", "\tconditions", "a tab in the indentation"),
    ("    conditions", "   conditions", "indent it"),
    ("    conditions", "     conditions", "indent it like the key above it"),
    ("selfid", "selfie", "did you mean 'selfid'?"),
    ("selfid", "self-id", "did you mean 'selfid'?"),
    ("selfid", "", "the name of a family"),
    ("selfid", "[selfid]", "the name of a family"),
    ("  - family: selfid\n    c", "  - c", "add family: selfid"),
    ("[E1, E2]", "[E1, E9]", "my.yaml:4:22: stages.0.conditions.1"),
    ("[E1, E2]", "E1 E2", "one of E1, E2"),
    ("[E1, E2]", "e1", "'e1'"),
    ("[E1, E2]", "[]", "e.g. conditions: [E1, E2]"),
    ("[E1, E2]", "{E1: 1}", "a map with E1"),
    ("[E1, E2]", "[E1, E1]", "remove the repetition"),
    ("[E1, E2]", "[1, 2]", "the names of conditions"),
    ("conditions:", "condition:", "did you mean 'conditions'?"),
    ("seeds: 2", "seeds: two", "e.g. seeds: 3"),
    ("seeds: 2", "seeds: 2.5", "how many scenes"),
    ("seeds: 2", "seeds: 0-9", "e.g. seeds: 10"),
    ("seeds: 2", "seeds: 0..19", "e.g. seeds: 20"),
    ("seeds: 2", "seeds: 1-9", "e.g. seeds: 3"),
    ("seeds: 2", 'seeds: "12"', "e.g. seeds: 12"),
    ("runs: 1", "runs: '5'", "e.g. runs: 5"),
    ("runs: 1", "epochs: 5", "did you mean 'runs'?"),
    ("runs: 1", "repeats: 5", "did you mean 'runs'?"),
    ("seeds: 2", "n_samples: 2", "did you mean 'seeds'?"),
    ("max_steps: 4", "steps: 4", "did you mean 'max_steps'?"),
    ("models:", "output_dir: x\nmodels:", "did you mean 'out'?"),
    ("models:", "budget: 5\nmodels:", "did you mean 'budget_usd'?"),
    ("stages:", "tasks:", "did you mean 'stages'?"),
    ("seeds: 2", "seeds: 0", "from 1"),
    ("seeds: 2", "seeds: -1", "my.yaml:5:12: stages.0.seeds"),
    ("seeds: 2", "seeds: [1, 1]", "remove the repetition"),
    ("seeds: 2", "seeds: [1, x]", "a whole number from 0"),
    ("seeds: 2", "seeds: true", "how many scenes"),
    ("    seeds: 2\n", "", "e.g. seeds: 3"),
    ("seeds: 2", "seed: 2", "did you mean 'seeds'?"),
    ("seeds: 2", "seeds: 2\n    seeds: 3", "the key seeds a second time"),
    ("seeds: 2", "seeds 2", "fix:     seeds: 2"),
    ("seeds: 2", "seeds:2", "my.yaml:5:5"),
    ("runs: 1", "runs: 0", "e.g. runs: 2"),
    ("runs: 1", "runs: '3'", "a whole number from 1"),
    ("runs: 1", "temperature: hot", "e.g. temperature: [0, 0.7]"),
    ("runs: 1", "temperature: 3", "a number from 0 to 2"),
    ("runs: 1", "temperature: [0, -1]", "a number from 0 to 2"),
    ("runs: 1", "temprature: 0.5", "did you mean 'temperature'?"),
    ("runs: 1", "variant: papr", "did you mean 'paper'?"),
    ("runs: 1", "weight: 0", "e.g. weight: 2"),
    ("runs: 1", "models: [x]", "move 'models' to the top of the file"),
    ("runs: 1", "budget_usd: 5", "move 'budget_usd' to the top of the file"),
    ("max_steps: 4", "max_steps: 0", "a whole number ≥ 1"),
    ("max_steps: 4", "max_steps: many", "a whole number ≥ 1"),
    ("max_steps: 4", "maxsteps: 4", "did you mean 'max_steps'?"),
    ("max_steps: 4", "image: big", "640x480"),
    ("max_steps: 4", "encoding: gif", "one of "),
    ("models:", "budget_usd: five\nmodels:", "US dollars, more than 0"),
    ("models:", "budget_usd: -5\nmodels:", "my.yaml:1:13: budget_usd"),
    ("models:", "budget_usd: $5\nmodels:", "e.g. budget_usd: 5"),
    ("models:", "budget: 5\nmodels:", "did you mean 'budget_usd'?"),
    ("models:", "budget_per_model_usd: {x: 1}\nmodels:", "a model of this sweep"),
    ("models:", "engine: 4\nmodels:", "where keys with values belong"),
    ("models:", "engine: {simulator: 4}\nmodels:", "did you mean 'simulators'?"),
    ("models:", "engine: {simulators: lots}\nmodels:", "e.g. simulators: 4"),
    ("models:", "name: a b\nmodels:", "letters, digits"),
    ("models:", "out: ${nme}/x\nmodels:", "unknown key 'nme'"),
    ("models:", "out: ${oc.env:HOME}\nmodels:", "never of the environment"),
    ("models:", "tier: cheap\nmodels:", "standard, flex or batch"),
    ("models:", "limit: 0\nmodels:", "how many scenes of each cell"),
    ("models:", "catalogue: nothing.yaml\nmodels:", "my.yaml:1:12: catalogue"),
    ("models:", "until: 0.95\nmodels:", "where keys with values belong"),
    ("models:", "max_tokens: 4\nmodels:", "max_tokens"),
    ("models:", "---\na: 1\n---\nmodels:", "a second document"),
    ("models:", "!!python/object:os.system\nmodels:", "my.yaml"),
    ("[scripted/observer]", "[scripted/observer, # mine]", "move ] before the #"),
    ("    seeds", "\u00a0\u00a0\u00a0\u00a0seeds", "replace the indentation with spaces"),
    ("models:", "<<<<<<< HEAD\nmodels:", "a mark of a merge conflict"),
    ("[scripted/observer]", "openai/gpt-5.1 openai/gpt-4.1", "openai/gpt-5.1,openai/gpt-4.1"),
    ("models:", 'out: "C:\\Users\\me"\nmodels:', "in which a backslash is itself"),
    ("models:", "out: C:\\Users\\me\nmodels:", "write folders with /"),
    ("models:", "out: ~/runs/x\nmodels:", "write the whole path"),
    ("models:", "out: $HOME/x\nmodels:", "write the path itself"),
    ("models:", "out: my.yaml\nmodels:", "where my.yaml is a file"),
    ("models:", "out: my.yaml/x\nmodels:", "move my.yaml away"),
    ("[scripted/observer]", "\n  - name: scripted/observer", "a map with name"),
    ("[scripted/observer]", "[openai:gpt-5.1]", "did you mean openai/gpt-5.1?"),
    ("[scripted/observer]", "[gpt-5.1]", "did you mean openai/gpt-5.1?"),
    ("[scripted/observer]", "[azure_openai/gpt-5.1]", "did you mean openai/gpt-5.1?"),
    ("[scripted/observer]", "[\u201cscripted/observer\u201d]", "did you mean scripted/observer"),
    ("[scripted/observer]", "[~]", "e.g. models: [openai/gpt-5.1]"),
    ("[scripted/observer]", "${MODEL}", "never of the environment"),
    ("[scripted/observer]", "*all", "write the value itself"),
    ("seeds: 2", "seeds: 0-9", "my.yaml:5:12: stages.0.seeds"),
    ("seeds: 2", "seeds: [0-9]", "my.yaml:5:13: stages.0.seeds.0"),
    ("seeds: 2", "seeds: '5'", "how many scenes"),
    ("seeds: 2", "seeds: ['1', '2']", "2 problems"),
    ("seeds: 2", "seeds: range(10)", "e.g. seeds: 3"),
    ("seeds: 2", "seeds: 1,2,3", "a list of their seeds"),
    ("seeds: 2", "seeds: {from: 0, to: 9}", "a map with from, to"),
    ("seeds: 2", "seeds: 1e3", "1000.0"),
    ("runs: 1", "temperature: 70%", "my.yaml:6:18: stages.0.temperature"),
    ("runs: 1", "temperature: 0,7", "e.g. temperature: [0, 0.7]"),
    ("runs: 1", "temperature: none", "a number from 0 to 2"),
    ("runs: 1", "temperatures: [0, 1]", "did you mean 'temperature'?"),
    ("[E1, E2]", "e1, e2", "did you mean 'E2'?"),
    ("[E1, E2]", "E1-E5", "my.yaml:4:17: stages.0.conditions"),
    ("[E1, E2]", "[E1,, E2]", "two commas in a row"),
    ("[E1, E2]", "['E1', 'E2]", "close it on the same line"),
    ("selfid", "SelfID", "did you mean 'selfid'?"),
    ("family:", "task:", "add family: selfid"),
    ("models:", "output: runs/x\nmodels:", "did you mean 'out'?"),
    ("models:", "budget_usd: 1,000\nmodels:", "e.g. budget_usd: 5"),
    ("models:", "out: [runs/x]\nmodels:", "e.g. out: runs/pilot"),
    ("models:", "model_args: pretrained=x\nmodels:", "did you mean 'models'?"),
    ("max_steps: 4", "max_steps = 4", "fix:     max_steps: 4"),
    ("max_steps: 4", "max-steps: 4", "did you mean 'max_steps'?"),
    ("max_steps: 4", "max_steps: None", "a whole number ≥ 1"),
    ("max_steps: 4", "image: 640*480", "e.g. '640x480', the default"),
    ("max_steps: 4", "\u201cmax_steps\u201d: 4", "did you mean 'max_steps'?"),
]
# Words after `mirror-ray plan my.yaml`, and what the message contains.
ON_THE_LINE = [
    ("conditions=E9", "'E9'"),
    ("seeds=none", "e.g. seeds=3"),
    ("runs=-1", "e.g. runs=2"),
    ("temperature=hot", "e.g. 'temperature=[0, 0.7]'"),
    ("stages.0.seeds=x", "| stages.0.seeds=x"),
    ("stages.1.seeds=3", "index stages from 0"),
    ("stages[0].sedes=3", "did you mean 'seeds'?"),
    ("model=x", "did you mean 'models'?"),
    ("models=[a", "write lists as '[a,b]'"),
    ("max_step=3", "did you mean 'max_steps'?"),
    ("budget_usd=5$", "US dollars"),
    ("E1", "key=value"),
    ("=3", "key=value"),
    ("--seeds=3", "seeds=3: keys of the sweep are written KEY=VALUE"),
    ("--models", "models=…"),
    ("--model", "models=openai/gpt-5.1"),
    ("--dry-run", "spends nothing"),
    ("--detail-all", "did you mean --details"),
    ("--limit=0", "a whole number from 1 on"),
    ("b.yaml", "one sweep at a time"),
    ("seeds", "seeds=VALUE, without spaces around ="),
    ("\N{EM DASH}json", "two hyphens: --json"),
    ("models=openai/gpt-5.1 openai/gpt-4.1", "openai/gpt-5.1,openai/gpt-4.1"),
    ("models=$MODEL", "outside single quotation marks"),
]
COMMANDS = [
    ("run my.yaml --resume", "the same `mirror-ray run` command resumes"),
    ("run my.yaml --force", "never overwritten"),
    ("run my.yaml --overwrite", "name another with --out"),
    ("run my.yaml -o x", "--out DIR"),
    ("run my.yaml --workers 4", "engine.simulators=4"),
    ("run my.yaml --verbose", "run.log"),
    ("run", "the following arguments are required: SWEEP"),
    ("run quikstart", "did you mean quickstart"),
    ("run sweeps/quickstrat.yaml", "did you mean quickstart"),
    ("plan nothing-like-it-at-all", "mirror-ray sweeps"),
    ("plan .", "mirror-ray sweeps"),
    ("resume my.yaml", "resumes a run"),
    ("stats runs/my", "`mirror-ray status DIR`"),
    ("statsu runs/my", "did you mean status"),
    ("ls", "`mirror-ray sweeps` lists sweeps"),
    ("my.yaml", "a command comes first: `mirror-ray plan my.yaml`"),
    ("help", "mirror-ray --help"),
    ("frobnicate", "`mirror-ray --help` lists commands"),
    ("status", "the following arguments are required: DIR"),
    ("status runs/none", "runs/none"),
    ("report runs/none", "runs/none"),
    ("view .", "."),
    ("status my.yaml --wach", "did you mean --watch"),
    ("sql runs/none", "QUERY"),
    ("plan my.ymal", "did you mean my.yaml?"),
    ("plan MY.YAML", "did you mean my.yaml?"),
    ("plan ~/my.yaml", "outside quotation marks"),
    ("plan models=x my.yaml", "the sweep comes first"),
    ("plan my.yaml conditions=E1 E2", "conditions=E1,E2"),
    ("plan https://example.org/a.yaml", "download the file first"),
    ("run my.yaml --out=", "a variable that is not set"),
    ("run my.yaml --out my.yaml", "where my.yaml is a file"),
    ("status my.yaml", "name the folder that"),
    ("status ~/runs/x", "outside quotation marks"),
]


@pytest.fixture(autouse=True)
def _in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("my.yaml").write_text(GOOD)


def told(words: list[str], capsys: pytest.CaptureFixture[str]) -> tuple[int, str]:
    try:
        exit_code = main(words)
    except SystemExit as ended:
        exit_code = int(ended.code or 0)
    printed = capsys.readouterr()
    return exit_code, printed.err


def problem_with(words: list[str], expected: str, capsys: pytest.CaptureFixture[str]) -> str:
    exit_code, message = told(words, capsys)
    faults = []
    if exit_code != 2:
        faults.append(f"exit code {exit_code}")
    if expected not in " ".join(message.split()) and expected not in message:
        faults.append(f"no {expected!r}")
    if "fix:" not in message:
        faults.append("no fix")
    faults += [word for word in ("correct ", "Traceback", "Input should") if word in message]
    return f"{' '.join(words)}: {', '.join(faults)}\n{message}" if faults else ""


def test_slips_in_a_file(capsys: pytest.CaptureFixture[str]) -> None:
    found = []
    for old, new, expected in IN_THE_FILE:
        assert old in GOOD
        Path("my.yaml").write_text(GOOD.replace(old, new, 1))
        if problem := problem_with(["plan", "my.yaml"], expected, capsys):
            found.append(f"{old!r} → {new!r}: {problem}")
    assert not found, "\n\n".join(found)


def test_slips_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    found = [
        problem_with(["plan", "my.yaml", word], expected, capsys) for word, expected in ON_THE_LINE
    ]
    found += [problem_with(words.split(), expected, capsys) for words, expected in COMMANDS]
    assert not any(found), "\n\n".join(filter(None, found))


def test_all_problems_of_a_file_are_reported_at_once_in_its_order(
    capsys: pytest.CaptureFixture[str],
) -> None:
    text = GOOD.replace("seeds: 2", "seeds: two").replace("runs: 1", "runs: 0")
    Path("my.yaml").write_text(text.replace("E2", "E9").replace("[scripted", "[scriptd"))
    _, message = told(["plan", "my.yaml", "budget_usd=no"], capsys)
    places = [message.index(one) for one in ("my.yaml:4:22", "my.yaml:5:12", "my.yaml:6:11")]
    assert places == sorted(places)
    assert "      5 |     seeds: two\n        |            ^^^\n" in message
    assert message.rstrip().endswith("4 problems")


def test_a_key_that_looks_like_a_secret_is_not_quoted(capsys: pytest.CaptureFixture[str]) -> None:
    key = "sk-proj-" + "a1B2" * 10
    Path("my.yaml").write_text(GOOD + f"notes: {key}\n")
    _, message = told(["plan", "my.yaml"], capsys)
    assert "notes" in message
    assert key not in message


def test_no_words_print_the_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    assert "Play:" in capsys.readouterr().out


@pytest.mark.parametrize("ends", ["\r\n", "\n"])
def test_windows_files_are_read(ends: str, capsys: pytest.CaptureFixture[str]) -> None:
    Path("my.yaml").write_bytes(b"\xef\xbb\xbf" + GOOD.replace("\n", ends).encode())
    assert main(["plan", "my.yaml", "conditions=E1", "seeds=1"]) == 0
    assert "Applied" in capsys.readouterr().out
