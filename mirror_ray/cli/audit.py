"""`mirror-ray audit` lets a person mark a blinded sample of replies, and compares readers."""

from argparse import Namespace
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict
from typing import Any

from mirror_ray.analysis.readable import readable
from mirror_ray.audit.agreement import Agreement, agreements
from mirror_ray.audit.files import as_csv, read_marks
from mirror_ray.audit.page import AuditServer
from mirror_ray.audit.readings import AuditedReply, audited_families, readings_of
from mirror_ray.audit.sheet import MOST_ITEMS, Sheet, draw_sheet, shown_items
from mirror_ray.audit.store import Audit, require_name
from mirror_ray.cli.show import console, print_json, print_rows
from mirror_ray.core.errors import RunDirError, SweepError, UnfitError
from mirror_ray.core.terminal import say
from mirror_ray.core.untrusted import one_printable_line
from mirror_ray.records.manifest import read_manifest
from mirror_ray.records.run_folders import require_enclosed


def main(arguments: Namespace) -> int:
    """Draw a sheet or continue with the last one; print the agreement once replies are marked."""
    directory = arguments.directory
    # Checked before anything is read from it or written to it.
    require_enclosed(directory)
    read_manifest(directory)
    audit = Audit(directory, require_name(arguments.name, "command line: --name"))
    person = require_name(arguments.by, "command line: --by")
    sheet = audit.sheet()
    drawn = None if sheet is None else sheet.families
    chosen = _families(arguments.of) if arguments.of or drawn is None else drawn
    where = arguments.where if sheet is None else sheet.where
    readings = _readings(directory, chosen, where)
    if sheet is None:
        sheet = _drawn(audit, readings, chosen, arguments)
    else:
        _same(sheet, chosen, arguments)
    if (path := arguments.take) is not None:
        try:
            audit.keep_marks(person, read_marks(path, sheet))
        except UnfitError as error:
            raise error.at(path) from error
    if arguments.page:
        return _serve(audit, sheet, person, readings, arguments)
    found = agreements(sheet, readings, audit.marks())
    if arguments.json:
        about = {"folder": audit.folder, "items": len(sheet.items)}
        print_json({**about, "population": sheet.population, "agreement": list(map(asdict, found))})
    else:
        _show(audit, sheet, found)
    return 0


def _families(given: Sequence[str] | None) -> tuple[str, ...]:
    known = audited_families()
    for name in given or ():
        if name not in known:
            raise SweepError(
                "command line: --of", repr(name), f"some of {', '.join(known)}", "e.g. --of metacog"
            )
    return tuple(dict.fromkeys(given or known))


def _readings(directory: str, chosen: tuple[str, ...], where: str | None) -> list[AuditedReply]:
    try:
        with readable(directory, "the run cannot be read"):
            return readings_of(directory, chosen, where)
    except (ValueError, RunDirError) as error:
        if where is None:
            raise
        raise SweepError(
            "command line: --where",
            where,
            f"a SQL condition over the columns of all episodes: {error}",
            "e.g. --where \"condition = 'exp6b'\"",
        ) from error


def _drawn(
    audit: Audit, readings: Sequence[AuditedReply], chosen: tuple[str, ...], arguments: Namespace
) -> Sheet:
    if not 1 <= arguments.n <= MOST_ITEMS or arguments.seed < 0:
        raise SweepError(
            "command line: --n, --seed",
            f"{arguments.n}, {arguments.seed}",
            f"1 to {MOST_ITEMS:,} replies, and a seed from 0 on",
            "e.g. --n 200 --seed 0",
        )
    sheet = draw_sheet(
        readings,
        name=arguments.name,
        seed=arguments.seed,
        count=arguments.n,
        families=chosen,
        where=arguments.where,
    )
    if not sheet.items:
        raise SweepError(
            arguments.directory,
            "no reply that answers to a key",
            f"a run with sealed episodes of {', '.join(chosen)}",
            "leave out --where and --of, or play the run first",
        )
    audit.keep_sheet(sheet, as_csv(shown_items(sheet, readings)))
    return sheet


def _same(sheet: Sheet, chosen: tuple[str, ...], arguments: Namespace) -> None:
    asked = {"--of": chosen == sheet.families, "--where": arguments.where in (None, sheet.where)}
    asked["--seed"] = arguments.seed in (0, sheet.seed)
    asked["--n"] = arguments.n in (200, len(sheet.items)) or len(sheet.items) == sheet.population
    for option, is_same in asked.items():
        if not is_same:
            raise SweepError(
                f"command line: {option}",
                f"another sheet than {sheet.name!r}, which was drawn with seed {sheet.seed}"
                f" and {len(sheet.items)} replies",
                "the options that it was drawn with, or another name",
                "--name another",
            )


def _serve(
    audit: Audit, sheet: Sheet, person: str, readings: Sequence[AuditedReply], arguments: Namespace
) -> int:
    try:
        items = shown_items(sheet, readings)
    except UnfitError as error:
        raise error.at(audit.folder) from error
    marks = audit.marks_of(person)
    with AuditServer(
        items, marks, lambda new: audit.keep_marks(person, new), arguments.port
    ) as server:
        if arguments.json:
            print_json({"address": server.address})
        else:
            console.print(f"{server.address} · Ctrl-C ends it", soft_wrap=True)
        with suppress(KeyboardInterrupt):
            server.serve_forever()
    return 0


def _show(audit: Audit, sheet: Sheet, found: Sequence[Agreement]) -> None:
    say(
        console,
        f"{len(sheet.items):,} of {sheet.population:,} distinct replies: {audit.folder}/sheet.csv",
    )
    if not found:
        console.print(
            "No marks yet: fill the column `mark` (right, wrong, unclear) and give it back with"
            " --take FILE, or mark in the browser with --page."
        )
        return
    print_rows(
        ("reader", "person", "of", "n", "agreement", "kappa"),
        (
            (
                one_printable_line(one.one),
                one.other,
                one_printable_line(one.stratum) or "all",
                one.n,
                _figure(one.agreement, one.agreement_low, one.agreement_high),
                _figure(one.kappa, one.kappa_low, one.kappa_high),
            )
            for one in found
        ),
    )
    console.print(
        "Weighted to the run's replies; 95 % intervals (Wilson, effective n); – undefined.",
        style="dim",
    )


def _figure(value: float | None, low: Any, high: Any) -> str:
    return "–" if value is None else f"{value:.2f} ({low:.2f}–{high:.2f})"
