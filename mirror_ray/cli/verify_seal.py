"""`mirror-ray verify SEAL` checks a sealed run offline, and names what cannot be checked."""

from argparse import Namespace
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from secrets import randbelow
from typing import Any

from rich.table import Table

from mirror_ray.attestation.comparison import SealComparison, Sealed, compare_with_seal, sealed_of
from mirror_ray.attestation.downloading import sealed_run
from mirror_ray.attestation.envelope import key_id, read_envelope
from mirror_ray.attestation.recheck import ReadAgain, differing_tables, read_again, redraw_frames
from mirror_ray.attestation.statement import UNCHECKED, shards_of
from mirror_ray.attestation.tables import copied_run
from mirror_ray.cli.show import Finding, console, print_json
from mirror_ray.cli.verify import AGREES
from mirror_ray.core.errors import MirrorRayError
from mirror_ray.core.first_names import first_names
from mirror_ray.core.identity import EpisodeSpec
from mirror_ray.core.terminal import say
from mirror_ray.core.untrusted import one_printable_line
from mirror_ray.records.environment import OURS, own_version
from mirror_ray.records.manifest import mapping_of, read_manifest, runs_of
from mirror_ray.records.run_folders import require_enclosed
from mirror_ray.replay.verify import differences, verdict_of
from mirror_ray.sweep.recorded import recorded_episodes
from mirror_ray.sweep.registration import KEY as REGISTRATION
from mirror_ray.viewer.frame_renderer import new_renderer

_MOST_NAMED = 3


def verify_seal(arguments: Namespace) -> int:
    """Print each check; return 1 if anything differs from the signed statement."""
    with sealed_run(arguments.directory, arguments.run) as (path, directory):
        return _verified(path, directory, arguments)


def _verified(path: Path, directory: Path, arguments: Namespace) -> int:
    seed = randbelow(2**31) if arguments.seed is None else arguments.seed
    statement, public = read_envelope(path)
    sealed = sealed_of(statement, str(path))
    require_enclosed(str(directory))
    compared = compare_with_seal(sealed, directory)
    findings = [_signed_by(public, arguments.public_key), *_recorded(sealed, compared)]
    shards = shards_of(sealed.files)
    if not compared.altered:
        with copied_run(directory, shards, sealed.manifest_text) as copy:
            findings += _rechecked(sealed, copy, arguments, seed)
    else:
        findings.append(Finding("tables", "note", "not computed: the record was altered"))
    is_sound = all(one.verdict != "fault" for one in findings)
    if arguments.json:
        print_json(
            {
                "verdict": "verified" if is_sound else "not verified",
                "seed": seed,
                "merkle_root": sealed.root,
                "checks": [asdict(one) for one in findings],
                "altered": compared.altered,
                "later": compared.later,
                "unchecked": UNCHECKED,
            }
        )
    else:
        _show(sealed, findings, is_sound=is_sound, seed=seed)
    return int(not is_sound)


def _signed_by(public: str, wanted: str | None) -> Finding:
    if wanted is not None and wanted.strip().lower() != public:
        return Finding("signature", "fault", f"valid, but by key {public}, not by {wanted[:80]}")
    if wanted is not None:
        return Finding("signature", "ok", f"by the key you named, {key_id(public)}")
    return Finding("signature", "note", f"valid; whose key is it? {public} (--public-key)")


def _recorded(sealed: Sealed, compared: SealComparison) -> list[Finding]:
    n_replies = sealed.predicate["n_replies"]
    journal = "" if sealed.journal is None else " and the journal"
    what = f"{len(sealed.files):,} files{journal}, {n_replies:,} replies, as signed"
    found = [
        Finding("record", "fault", _several(compared.altered))
        if compared.altered
        else Finding("record", "ok", what)
    ]
    registrations = [mapping_of(run.get(REGISTRATION)) for run in runs_of(sealed.manifest)]
    digests = {one.get("sha256") for one in registrations}
    if digests == {None}:
        found.append(Finding("registered", "note", "no: every result is exploratory"))
    else:
        named = "; ".join(one_printable_line(str(one), 64) for one in digests)
        found.append(Finding("registered", "ok" if len(digests) == 1 else "fault", f"file {named}"))
    if compared.later:
        found.append(Finding("since then", "note", _several(compared.later)))
    return found


def _rechecked(sealed: Sealed, copy: Path, arguments: Namespace, seed: int) -> list[Finding]:
    found = []
    recorded, here = sealed.predicate["harness"].get(OURS), own_version()
    if recorded != here:
        by = one_printable_line(str(recorded), 80)
        found.append(Finding("program", "note", f"sealed by {by}, verified by {here}"))
    try:
        found.append(_tables(sealed.predicate["tables"], copy))
        manifest = read_manifest(str(copy))
        specs = recorded_episodes(str(copy), manifest)
        found.append(_replies(read_again(str(copy), specs, k=arguments.replies, seed=seed)))
        if arguments.frames:
            found.append(_frames(manifest, copy, specs, arguments, seed))
    except MirrorRayError as error:
        found.append(Finding("recheck", "fault", one_printable_line(str(error), 300)))
    return found


def _tables(sealed: Mapping[str, str], copy: Path) -> Finding:
    differ = differing_tables(sealed, copy)
    if differ:
        return Finding("tables", "fault", f"{len(differ):,} differ: {_several(differ)}")
    return Finding("tables", "ok", f"{len(sealed):,} computed again from the shards: the same")


def _replies(read: ReadAgain) -> Finding:
    if read.differ:
        return Finding("replies", "fault", f"read otherwise: {_several(read.differ)}")
    return Finding("replies", "ok", f"{read.replies:,} read again: the same columns")


def _frames(
    manifest: Mapping[str, Any],
    copy: Path,
    specs: Mapping[str, EpisodeSpec],
    arguments: Namespace,
    seed: int,
) -> Finding:
    with closing(new_renderer()) as renderer:
        checked = redraw_frames(str(copy), specs, renderer, k=arguments.frames, seed=seed)
        elsewhere = differences(manifest, asdict(renderer.gl))
    n_frames, n_other = sum(one.frames for one in checked), sum(len(one.others) for one in checked)
    if not checked:
        return Finding("frames", "note", "none recorded")
    verdict = verdict_of(checked, elsewhere, tolerance_px=arguments.tolerance_px)
    what = f"{n_frames:,} drawn again, {n_other:,} with another hash: {verdict}"
    return Finding("frames", "ok" if verdict in AGREES else "fault", what)


def _several(said: Sequence[str]) -> str:
    return first_names([one_printable_line(one, 200) for one in said], _MOST_NAMED, "; ")


def _show(sealed: Sealed, findings: Sequence[Finding], *, is_sound: bool, seed: int) -> None:
    shown = Table.grid(padding=(0, 2))
    for one in findings:
        shown.add_row(one.verdict, one.topic, one.what)
    for unchecked in UNCHECKED:
        shown.add_row("–", "cannot check", unchecked)
    console.print(shown)
    verdict = "verified" if is_sound else "NOT verified"
    sealed_at = one_printable_line(sealed.predicate["sealed_at"], 40)
    say(console, f"{verdict}: Merkle root {sealed.root}, sealed at {sealed_at}, seed {seed}")
