"""The commands that check: doctor, verify, rescore, audit, check-family."""

from argparse import ArgumentParser, _SubParsersAction

from mirror_ray.cli.doctor_options import add_drawing_check
from mirror_ray.cli.page_options import add_audit
from mirror_ray.cli.target_options import OVERRIDES, SWEEP, add_allow_commands, add_run_dir


def add_check_commands(commands: "_SubParsersAction[ArgumentParser]") -> None:
    """Add doctor, verify, rescore, audit and check-family."""
    _add_doctor(commands)
    _add_verify(commands)

    rescore = commands.add_parser(
        "rescore", help="read recorded replies again with the current parser"
    )
    add_run_dir(rescore)
    rescore.add_argument(
        "--dry-run", action="store_true", help="print what would change; write nothing"
    )

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


def _add_verify(commands: "_SubParsersAction[ArgumentParser]") -> None:
    verify = commands.add_parser("verify", help="draw recorded frames again and compare them")
    add_run_dir(verify)
    verify.add_argument("--episodes", type=int, default=20, metavar="N", help="how many (20)")
    verify.add_argument("--all", action="store_true", help="every episode that has ended")
    verify.add_argument("--seed", type=int, default=0, help="which N episodes (0)")
    verify.add_argument(
        "--tolerance-px",
        type=int,
        metavar="PX",
        help="how far counts of pixels may differ between renderers (30 px or 5%% of a count)",
    )


def _add_check_family(commands: "_SubParsersAction[ArgumentParser]") -> None:
    check = commands.add_parser("check-family", help="check that a family keeps the contract")
    check.add_argument("family", metavar="FAMILY", help="a sweep's `family:`")
    check.add_argument(
        "--thorough",
        action="store_true",
        help="resume at 17 asks of each episode, those of an axis's values too",
    )
    check.add_argument("--json", action="store_true", help="print JSON")
