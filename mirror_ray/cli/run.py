"""`mirror-ray run` checks everything, plays the sweep, and shows its metrics and next commands. If
a run ends early, it shows what is kept and how to resume. `--detach` uses a new session."""

import os
import shlex
import subprocess
import sys
from argparse import Namespace
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from time import sleep

from rich.console import Console
from rich.text import Text

from mirror_ray.api.playing import play
from mirror_ray.cli.arguments import with_limit
from mirror_ray.cli.show import console, print_json
from mirror_ray.contract.metrics import METRICS
from mirror_ray.core.errors import MirrorRayError, RunDirError
from mirror_ray.core.identity import Cell
from mirror_ray.core.own_interpreter import python_command, python_environment
from mirror_ray.core.terminal import Terminal, say
from mirror_ray.core.untrusted import printable
from mirror_ray.engine.control.address import Address, noted_address
from mirror_ray.engine.driver.money import spent_words
from mirror_ray.engine.driver.run_summary import EXIT_INTERRUPTED
from mirror_ray.engine.driver.starting import Starting
from mirror_ray.records.lock import is_held
from mirror_ray.records.run_log import RUN_LOG
from mirror_ray.records.rundir import LOCK_NAME
from mirror_ray.records.storage import home_of
from mirror_ray.records.storage_fault import faults_reported
from mirror_ray.sweep.commands import OPTION, require_permission
from mirror_ray.sweep.load import load_plan
from mirror_ray.sweep.notify import kept_overrides
from mirror_ray.sweep.plan import Plan
from mirror_ray.sweep.registration import registered


def main(arguments: Namespace) -> int:
    """Return the exit code: see `mirror_ray.cli`."""
    if arguments.detach:
        return start(arguments, with_limit(arguments))
    # With --json, stdout carries only the JSON, so progress goes to stderr.
    shown = Terminal(sys.stderr) if arguments.json else console
    out = None
    try:
        with Starting(shown, plain=arguments.plain) as starting:
            starting.step("Checking the sweep")
            plan = load_plan(arguments.sweep, with_limit(arguments), arguments.out)
        out = plan.sweep.out
        if arguments.registered:
            registration = registered(plan, arguments.registered)
            plan = replace(plan, sweep=replace(plan.sweep, registration=registration))
        exit_code = _play(plan, arguments, shown)
    except KeyboardInterrupt:
        exit_code = EXIT_INTERRUPTED
    if exit_code == EXIT_INTERRUPTED:
        say_how_to_resume(shown, arguments, out)
    return exit_code


def _play(plan: Plan, arguments: Namespace, shown: Terminal) -> int:
    summary = play(
        plan, console=shown, plain=arguments.plain, allow_commands=arguments.allow_commands
    )
    out = plan.sweep.out
    # Imported late: neither a typing mistake nor --help should wait for DuckDB.
    from mirror_ray.analysis.summary import summary_rows, summary_tables, violations  # noqa: PLC0415
    from mirror_ray.analysis.warehouse import open_run  # noqa: PLC0415

    with faults_reported(out, "the results cannot be read"), open_run(out, hold=True) as connection:
        violated = violations(connection)
        if arguments.json:
            print_json({**asdict(summary), "metrics": summary_rows(connection)})
        else:
            for table in summary_tables(connection, width=console.width, briefly=True):
                # They are empty before the first episode has ended.
                if summary.episodes_done or summary.episodes_failed:
                    console.print(table)
    for violation in violated:
        shown.print(Text.assemble(("invariant violated:", "red"), f" {violation}"))
    if not arguments.json and summary.exit_code != EXIT_INTERRUPTED:
        drawn, reused = summary.pictures_drawn, summary.pictures_reused
        pictures = f" {drawn:,} pictures drawn, {reused:,} reused," if drawn else ""
        unpaid = f" {summary.episodes_unpaid:,} unpaid," if summary.episodes_unpaid else ""
        settled = f" {summary.episodes_settled:,} settled," if summary.episodes_settled else ""
        say(
            console,
            f"{summary.episodes_done:,} episodes, {summary.episodes_failed:,} with an error,"
            f"{unpaid}{settled}{pictures}"
            f" {spent_words(summary.cost_usd, summary.run_unpriced)}, {summary.wall_s:.0f} s.",
        )
        # People paste this, so it must not be wrapped in a narrow terminal.
        console.print(f"Data: {out}\nNext:\n{next_steps(out, plan.cells)}", soft_wrap=True)
    return summary.exit_code


def next_steps(out: str, cells: Sequence[Cell]) -> str:
    """Suggest queries whose lines and rows fit 80 columns, and whose rows are not all alike."""
    where, family = shlex.quote(out), cells[0].family
    named = ["condition"]
    if len({cell.temperature for cell in cells}) > 1:
        named.append("temperature")
    if len({cell.variant_label for cell in cells}) > 1:
        named.append("variant")
    first, figures = "condition", ["estimate", "ci_low as low", "ci_high as high"]
    if len(named) > 1:
        first = f"concat_ws(' ', {', '.join(named)}) as cell"
        shares = (("estimate", "mean"), ("ci_low", "low"), ("ci_high", "high"))
        figures = [f"round({name}, 2) as {said}" for name, said in shares]
    rows = (
        f"select {first},\n"  # noqa: S608 - our own names
        f"  split_part(model, '/', -1) as model, n, {figures[0]},\n"
        f"  {figures[1]}, {figures[2]}\n"
        f"  from metric.{family} where metric = '{METRICS[family].leading}' order by all"
    )
    return f'mirror-ray sql {where} "{rows}"\nmirror-ray report {where}\nmirror-ray view {where}'


def say_how_to_resume(shown: Console, arguments: Namespace, out: str | None) -> None:
    """Print what the run directory keeps, and the command that resumes the run as the last line."""
    again = ", with your notify.webhook=… again" if _webhooks(arguments) else ""
    kept = "Nothing was started." if out is None else _kept(out)
    say(shown, f"Interrupted. {kept} To resume{again}:")
    # People paste this, so it must not be wrapped in a narrow terminal.
    shown.print(command_of(arguments), soft_wrap=True)


def command_of(arguments: Namespace) -> str:
    """Return the `run` command without the address to notify, which may be secret."""
    secret = _webhooks(arguments)
    kept = [one for one in arguments.overrides if one not in secret]
    words = ["mirror-ray", "run", arguments.sweep, *kept]
    options: Sequence[tuple[str, object]] = (
        ("--out", arguments.out),
        ("--limit", arguments.limit),
        ("--shard", arguments.shard),
        ("--registered", arguments.registered),
        ("--allow-commands", arguments.allow_commands),
        ("--plain", arguments.plain),
        ("--json", arguments.json),
    )
    for name, value in options:
        if value:
            words += [name] if value is True else [name, str(value)]
    return shlex.join(words)


def _webhooks(arguments: Namespace) -> list[str]:
    recorded = kept_overrides(arguments.overrides)
    return [one for one in arguments.overrides if one not in recorded and "webhook" in one]


def _kept(out: str) -> str:
    # Imported late: loading DuckDB and Arrow takes time, and most runs do not get here.
    from mirror_ray.cli.status_counts import read_status  # noqa: PLC0415
    from mirror_ray.records.manifest import read_manifest  # noqa: PLC0415

    try:
        status = read_status(out, read_manifest(out))
    except MirrorRayError:
        return f"Nothing was recorded in {out} yet."
    asks, unpriced = sum(row[6] for row in status.rows), sum(row[10] for row in status.rows)
    if not asks:
        return f"{out} has no reply yet, and nothing was paid."
    spent_usd = sum(row[8] or 0.0 for row in status.rows)
    replies = "1 reply" if asks == 1 else f"{asks:,} replies"
    return (
        f"{out} keeps {replies}, which cost {spent_words(spent_usd, unpriced)}, and"
        f" {status.done:,} of {status.planned:,} episodes that are done."
    )


OUTPUT_NAME = ".run.out"
"""File in the run directory with the output that the run would have shown on a terminal."""

_LOOK_EVERY_S = 0.1
_MOST_SHOWN_BYTES = 20_000


def start(arguments: Namespace, overrides: Sequence[str]) -> int:
    """Print where the run is once it has its run directory; if it ends first, return its exit code.
    Raise SweepError if the sweep cannot be played, RunDirError if its output cannot be written."""
    plan = load_plan(arguments.sweep, overrides, arguments.out)
    require_permission(plan, allowed=arguments.allow_commands)
    out, home = plan.sweep.out, home_of(plan.sweep.out)
    if is_held(home / LOCK_NAME):
        raise RunDirError(
            f"{home}: the run directory is in use",
            "a run that plays",
            "one writer at a time",
            "mirror-ray status says whose it is; stop it with mirror-ray ctl DIR stop",
        )
    command = python_command("-m", "mirror_ray", "run", arguments.sweep, *overrides)
    command += ["--out", out, "--plain"]
    command += [OPTION] if arguments.allow_commands else []
    command += ["--registered", arguments.registered] if arguments.registered else []
    process = _started(command, home / OUTPUT_NAME)
    while (address := _of(process, home)) is None:
        if process.poll() is not None:
            break
        sleep(_LOOK_EVERY_S)
    exit_code = process.poll()
    facts = {
        "run_dir": out,
        "pid": process.pid,
        "socket": None if address is None else str(address.path),
        "log": str(home / RUN_LOG),
        "output": str(home / OUTPUT_NAME),
        "exit_code": exit_code,
    }
    if exit_code:
        sys.stderr.write(_end_of(home / OUTPUT_NAME))
    if arguments.json:
        print_json(facts)
    elif exit_code is None:
        console.print(
            f"Process {process.pid} plays it. Next:\nmirror-ray status {out}\n"
            f"mirror-ray ctl {out} pause",
            soft_wrap=True,
        )
    return exit_code or 0


def _of(process: subprocess.Popen[bytes], home: Path) -> Address | None:
    found = noted_address(home)
    return found if found is not None and found.pid == process.pid else None


def _started(command: Sequence[str], output: Path) -> subprocess.Popen[bytes]:
    try:
        output.parent.mkdir(parents=True, exist_ok=True)
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_NONBLOCK
        descriptor = os.open(output, flags, 0o600)
    except OSError as error:
        raise RunDirError(
            str(output),
            error.strerror or str(error),
            "a folder this user may create and write",
            "change its permissions, or use another --out",
        ) from error
    with os.fdopen(descriptor, "wb") as file:
        # In a new session, neither Ctrl-C nor closing this terminal stops the run.
        return subprocess.Popen(  # noqa: S603 - ourselves
            command,
            stdin=subprocess.DEVNULL,
            stdout=file,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            env=python_environment(),
        )


def _end_of(output: Path) -> str:
    with output.open("rb") as file:
        file.seek(max(0, output.stat().st_size - _MOST_SHOWN_BYTES))
        return printable(file.read().decode(errors="replace"))
