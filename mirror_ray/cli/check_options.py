"""The commands that check or repair: doctor, seal, verify, replayer, rescore, compact, audit and
check-family."""

from argparse import ArgumentParser, _SubParsersAction

from mirror_ray.cli.doctor_options import add_drawing_check
from mirror_ray.cli.page_options import add_audit
from mirror_ray.cli.target_options import OVERRIDES, SWEEP, add_allow_commands, add_run_dir


def add_check_commands(commands: "_SubParsersAction[ArgumentParser]") -> None:
    """Add doctor, seal, verify, replayer, rescore, compact, audit and check-family."""
    _add_doctor(commands)
    _add_seal(commands)
    _add_verify(commands)

    replayer = commands.add_parser(
        "replayer", help="replay recorded actions blind; report how much of each score they reach"
    )
    add_run_dir(replayer)
    replayer.add_argument("--out", metavar="DIR", help="the replays' run directory (DIR-replayer)")

    rescore = commands.add_parser(
        "rescore", help="read recorded replies again with the current parser"
    )
    add_run_dir(rescore)
    rescore.add_argument(
        "--dry-run", action="store_true", help="print what would change; write nothing"
    )

    add_run_dir(commands.add_parser("compact", help="merge a run's small shards into large files"))

    audit = commands.add_parser("audit", help="let a person mark replies; report agreement")
    add_run_dir(audit)
    add_audit(audit)

    _add_check_family(commands)


def _add_doctor(commands: "_SubParsersAction[ArgumentParser]") -> None:
    doctor = commands.add_parser(
        "doctor", help="check this machine, optionally against a sweep; makes no API calls"
    )
    doctor.add_argument("sweep", metavar="SWEEP", nargs="?", help=SWEEP)
    doctor.add_argument("overrides", metavar="KEY=VALUE", nargs="*", default=[], help=OVERRIDES)
    doctor.add_argument("--out", metavar="DIR", help="run directory, in place of the file's `out`")
    add_allow_commands(doctor)
    add_drawing_check(doctor)
    doctor.add_argument("--json", action="store_true", help="print JSON")


def _add_seal(commands: "_SubParsersAction[ArgumentParser]") -> None:
    seal = commands.add_parser("seal", help="sign a run, so that others can verify it offline")
    add_run_dir(seal)
    seal.add_argument("--out", metavar="FILE", help="the seal (DIR/seal.json, then seal-2.json …)")
    seal.add_argument(
        "--key",
        metavar="FILE",
        help="ed25519 private key in PEM, created if missing (~/.config/mirror-ray/seal_key.pem)",
    )


def _add_verify(commands: "_SubParsersAction[ArgumentParser]") -> None:
    verify = commands.add_parser(
        "verify", help="verify a sealed run, or draw a run's recorded frames again"
    )
    verify.add_argument("directory", metavar="DIR|SEAL", help="a run directory, or a seal in one")
    verify.add_argument("--json", action="store_true", help="print JSON")
    verify.add_argument("--seed", type=int, help="which ones (of DIR 0, of SEAL a random seed)")
    verify.add_argument(
        "--tolerance-px",
        type=int,
        metavar="PX",
        help="how far counts of pixels may differ between renderers (30 px or 5%% of a count)",
    )
    run = verify.add_argument_group("of DIR")
    run.add_argument("--episodes", type=int, default=20, metavar="N", help="how many (20)")
    run.add_argument("--all", action="store_true", help="every episode that has ended")
    seal = verify.add_argument_group("of SEAL")
    seal.add_argument("--frames", type=int, default=20, metavar="K", help="frames to redraw (20)")
    seal.add_argument("--replies", type=int, default=20, metavar="K", help="replies to reread (20)")
    seal.add_argument("--run", metavar="DIR", help="the run directory (the seal's folder)")
    seal.add_argument("--public-key", metavar="HEX", help="the key that must have signed")


def _add_check_family(commands: "_SubParsersAction[ArgumentParser]") -> None:
    check = commands.add_parser("check-family", help="check that a family keeps the contract")
    check.add_argument("family", metavar="FAMILY", help="a sweep's `family:`")
    check.add_argument(
        "--thorough",
        action="store_true",
        help="resume every episode at 17 requests, also those off an axis's default",
    )
    check.add_argument("--json", action="store_true", help="print JSON")
