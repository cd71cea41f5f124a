"""Write `mirror_ray/locks/`: the exact versions, with hashes, that setup and CI install.

    make lock

One file for the runtime, one for each extra and for development, each without what the runtime has
already, and two for what builds the package and what installs all. No file names a package index.
"""

import subprocess
import sys
import tomllib
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parent
LOCKS = ROOT / "mirror_ray" / "locks"
LEAST_PYTHON = "3.11"
BUILD = ("hatchling", "editables")
LEFT_OUT = {
    "boto3": "litellm declares it and imports it for Bedrock alone: the extra bedrock",
    "mujoco-studio": "MuJoCo's viewer in a window, 35 MB: runs draw without a display",
    "hf-xet": "a faster download from the Hugging Face Hub, from which a run downloads nothing",
}
"""Packages that others declare and no run needs, and why."""
_NOWHERE = "sys_platform == 'none'"


def main() -> None:
    """Resolve everything together once, so that all files agree, then each part of it."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    own = project["project"]["dependencies"]
    parts = {
        **project["project"]["optional-dependencies"],
        "dev": project["dependency-groups"]["dev"],
        "build": list(BUILD),
        "installer": ["uv"],
    }
    whole = compiled([*own, *(one for part in parts.values() for one in part)])
    runtime = compiled(own, within=whole, without=LEFT_OUT)
    LOCKS.mkdir(exist_ok=True)
    for old in LOCKS.glob("*.lock"):
        old.unlink()
    (LOCKS / "runtime.lock").write_text("".join(runtime))
    for name, requirements in parts.items():
        further = [one for one in compiled(requirements, within=whole) if one not in runtime]
        (LOCKS / f"{name}.lock").write_text("".join(further))


def compiled(
    requirements: Sequence[str], *, within: Sequence[str] = (), without: Sequence[str] = ()
) -> list[str]:
    """Resolve the requirements; return one pinned requirement with its hashes each.

    Args:
        within: pinned requirements whose versions are taken.
        without: names of packages that are left out, whatever declares them.
    """
    options = ["--universal", "--python-version", LEAST_PYTHON, "--generate-hashes"]
    options += ["--no-header", "--no-annotate", "--no-emit-index-url", "--no-emit-find-links"]
    folder = ROOT / ".venv" / "lock"
    folder.mkdir(parents=True, exist_ok=True)
    for option, lines in (
        ("--constraints", within),
        ("--overrides", [f"{name}; {_NOWHERE}\n" for name in without]),
    ):
        file = folder / option.strip("-")
        file.write_text("".join(lines))
        options += [option, str(file)]
    command = ["uv", "pip", "compile", "--quiet", *options, "-"]
    found = subprocess.run(  # noqa: S603 - our own requirements
        command, input="\n".join(requirements), capture_output=True, text=True, check=False
    )
    if found.returncode:
        sys.exit(found.stderr)
    pinned: list[str] = []
    for line in found.stdout.splitlines(keepends=True):
        if line[0].isspace():
            pinned[-1] += line
        else:
            pinned.append(line)
    return [one for one in pinned if _NOWHERE not in one]


if __name__ == "__main__":
    main()
