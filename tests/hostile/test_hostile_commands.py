"""``mirror-ray`` over a run whose every text is hostile: what it prints, writes and exits with.

The commands are processes of their own, whose output takes nothing but ASCII.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest
from hostile_server import HONEST
from hostile_sweep import (
    KEYS,
    Adversary,
    adversary,
    asked_since,
    files_with_keys,
    honest_rows,
    write_sweep,
)
from hostile_ways import WAYS
from reply_findings import keys_in

from support.shard_rows import assert_same_rows

SHOWN = (
    *("words-ansi", "words-ansi-osc", "words-ansi-dcs", "words-controls", "words-nul"),
    *("words-markup", "words-script", "words-script-end", "words-script-attribute"),
    *("words-sql", "words-sql-doubled", "words-sql-readers", "words-sql-copy"),
    *("words-paths", "words-templates", "words-formula", "words-latex", "words-bidi"),
    *("words-surrogates", "words-line-ends", "words-newlines", "words-digits-4301"),
    *("model-escapes", "model-surrogate", "finish-escapes", "native-nul", "refusal-escapes"),
    *("body-error-escapes", "body-error-surrogate", "body-error-markup", "redirect-escapes"),
    *("status-reason-escapes", "header-escapes", "key-content-plain", "key-content-base64"),
    *("key-model", "key-error-plain", "key-error-url", "cost-NaN", "tokens-out-2-63"),
)
"""Ways whose words come as far as a terminal, a page, a table or a query."""

STAGES = (
    {"family": "flipset", "conditions": ["L2"], "seeds": 2, "image": ["320x240"]},
    {"family": "metacog", "conditions": ["exp1"], "seeds": 1, "channel": ["natural"]},
)

LONGEST_S = 240
"""Only so that a command that hangs fails."""

pytestmark = [
    pytest.mark.timeout(3 * LONGEST_S),
    pytest.mark.thorough(
        "hostile/test_hostile_replies.py, and test_run_directories.py with every command"
    ),
]
"""The first test's fixture runs two commands."""


@dataclass(frozen=True, slots=True)
class Commands:
    """A sweep of hostile models, played once.

    Args:
        first: the run; `calm` is where the honest models were played alone.
    """

    server: Adversary
    sweep: Path
    out: Path
    calm: Path
    first: "subprocess.CompletedProcess[str]"
    env: Mapping[str, str]

    def run(self, *words: str | Path) -> "subprocess.CompletedProcess[str]":
        return command(*words, cwd=self.sweep.parent, env=self.env)


def command(
    *words: str | Path, cwd: Path, env: Mapping[str, str]
) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "mirror_ray", *map(str, words)],
        capture_output=True,
        text=True,
        check=False,
        cwd=cwd,
        timeout=LONGEST_S,
        env={**os.environ, **env, **KEYS, "PYTHONIOENCODING": "ascii"},
    )


def assert_plain(ran: "subprocess.CompletedProcess[str]", *exit_codes: int) -> None:
    printed = ran.stdout + ran.stderr
    assert ran.returncode in exit_codes, printed[-3000:]
    assert "Traceback" not in printed
    assert sorted({c for c in printed if not (c.isprintable() or c == "\n")}) == []
    assert keys_in(printed.encode(), KEYS.values()) == []


@pytest.fixture(scope="module")
def commands(
    tmp_path_factory: pytest.TempPathFactory, ray_env: dict[str, str]
) -> Iterator[Commands]:
    assert WAYS.keys() >= set(SHOWN)
    folder = tmp_path_factory.mktemp("commands")
    with adversary() as server:
        sweep = write_sweep(folder, server, SHOWN, STAGES)
        honest = f"models=['{HONEST}-*']"
        calm = command("run", sweep, "--out", folder / "calm", honest, cwd=folder, env=ray_env)
        assert calm.returncode == 0, calm.stdout + calm.stderr
        first = command("run", sweep, "--out", folder / "out", cwd=folder, env=ray_env)
        yield Commands(server, sweep, folder / "out", folder / "calm", first, ray_env)


def test_a_run_ends_with_failed_episodes_as_rows(commands: Commands) -> None:
    assert_plain(commands.first, 1)


@pytest.mark.parametrize("kind", ["steps", "episodes"])
def test_honest_rows_are_those_of_a_calm_run(commands: Commands, kind: str) -> None:
    assert_same_rows(honest_rows(commands.out, kind), honest_rows(commands.calm, kind))


def test_the_same_command_again_buys_nothing_for_honest_models(commands: Commands) -> None:
    before = commands.server.asked()
    assert_plain(commands.run("run", commands.sweep, "--out", commands.out, "--json"), 1)
    asked = asked_since(before, commands.server.asked())
    assert [model for model in asked if model.startswith(HONEST)] == []
    for kind in ("steps", "episodes"):
        assert_same_rows(honest_rows(commands.out, kind), honest_rows(commands.calm, kind))


def test_status_and_plan_say_how_far_it_is(commands: Commands) -> None:
    assert_plain(commands.run("status", commands.out), 1)
    assert_plain(commands.run("plan", commands.sweep, "--out", commands.out), 0)


def test_sql_shows_what_was_said(commands: Commands) -> None:
    told = "select model, reply, error, finish_reason, model_version"
    everything = f"{told} from stage.flipset_steps union all {told} from stage.metacog_steps"
    assert_plain(commands.run("sql", commands.out, everything), 0)
    ran = commands.run("sql", commands.out, everything, "--json")
    assert_plain(ran, 0)
    said = {row["reply"] for row in json.loads(ran.stdout)}
    assert any(text and "drop view steps" in text for text in said)


def test_a_report_is_written_without_keys_and_scripts(commands: Commands) -> None:
    assert_plain(commands.run("report", commands.out), 0)
    page = next((commands.out / "report").glob("*.html")).read_text()
    assert "<script>alert(1)" not in page
    assert "onerror=alert(1)>" not in page


def test_exports_and_pages_are_written(commands: Commands) -> None:
    assert_plain(commands.run("export", commands.out, "--to", "inspect"), 0)
    rows = commands.run("sql", commands.out, "from stage.metacog_episodes", "--json").stdout
    hostile = [one for one in json.loads(rows) if "words-script" in one["model"]]
    pages = commands.out / "pages"
    some = [one["episode_id"] for one in hostile if one["error_kind"] == "none"][:3]
    ran = commands.run("view", commands.out, "--static", pages, "--episodes", *some)
    assert_plain(ran, 0)
    for page in pages.rglob("*.html"):
        assert "<script>alert(1)" not in page.read_text()


def test_nothing_in_the_directory_holds_a_key(commands: Commands) -> None:
    """Runs after all others of this module: reports, exports and pages are looked at too."""
    assert files_with_keys(commands.out) == []
    assert commands.server.log()["gone_elsewhere"] == []
    assert list(commands.sweep.parent.glob("owned*")) == []
