"""What to type instead of commands and options that do not exist."""

from collections.abc import Iterable

from mirror_ray.core.spelling import close_names

_RESUMES = "the same `mirror-ray run` command resumes a run where it stopped"
_OTHER_OUT = "a run directory is never overwritten: name another with --out, or delete the folder"
_PLAN = "`mirror-ray plan SWEEP` estimates calls, cost and time, and spends nothing"
_NO_DASHES = "keys of the sweep are written KEY=VALUE, without dashes"

_COMMANDS = {
    **dict.fromkeys(("resume", "continue", "restart", "retry"), _RESUMES),
    **dict.fromkeys(("stats", "progress", "ps", "top", "watch"), "`mirror-ray status DIR`"),
    **dict.fromkeys(("stop", "pause", "kill", "cancel"), "`mirror-ray ctl DIR stop` or `pause`"),
    **dict.fromkeys(("estimate", "cost", "dry-run", "price", "validate"), _PLAN),
    **dict.fromkeys(("results", "summary", "summarize", "plot"), "`mirror-ray report DIR`"),
    **dict.fromkeys(("query", "duckdb", "select"), '`mirror-ray sql DIR "select …"`'),
    **dict.fromkeys(("show", "open", "browse", "serve", "ui"), "`mirror-ray view DIR`"),
    **dict.fromkeys(("start", "play", "exec", "launch", "eval"), "`mirror-ray run SWEEP`"),
    **dict.fromkeys(("check", "test", "env", "info"), "`mirror-ray doctor [SWEEP]`"),
    **dict.fromkeys(("diff", "vs"), "`mirror-ray compare A B`"),
    **dict.fromkeys(("csv", "dump", "download"), "`mirror-ray sql DIR QUERY --out rows.csv`"),
    "ls": "`mirror-ray sweeps` lists sweeps, `mirror-ray models` lists models",
    "list": "`mirror-ray sweeps` lists sweeps, `mirror-ray models` lists models",
    "init": "a sweep is a YAML file with models and stages: docs/sweep_files.md",
    "new": "a sweep is a YAML file with models and stages: docs/sweep_files.md",
    "help": "`mirror-ray --help`, or `mirror-ray COMMAND --help`",
    "version": "`mirror-ray --version`",
    "config": "`mirror-ray plan SWEEP` shows a sweep; overrides are KEY=VALUE",
    "merge": "`mirror-ray compact DIR` merges shards; several runs are read as one",
    "rm": "a run is its folder: delete it",
    "clean": "a run is its folder: delete it",
}
_OPTIONS = {
    **dict.fromkeys(("--resume", "--continue", "--restart"), _RESUMES),
    **dict.fromkeys(("--force", "--overwrite", "-f"), _OTHER_OUT),
    **dict.fromkeys(("--dry-run", "--dryrun", "--estimate"), _PLAN),
    **dict.fromkeys(("--output", "--output-dir", "--dir", "-o"), "--out DIR"),
    **dict.fromkeys(("--config", "--file", "--sweep", "-c"), "the sweep is the first argument"),
    **dict.fromkeys(("--model", "-m"), "models=openai/gpt-5.1"),
    **dict.fromkeys(("--budget", "--max-cost"), "budget_usd=5"),
    **dict.fromkeys(("--workers", "--jobs", "--parallel", "-j", "-n"), "engine.simulators=4"),
    **dict.fromkeys(("--verbose", "--debug", "-v"), "the log of a run is run.log in its folder"),
    **dict.fromkeys(("--quiet", "-q"), "--plain prints lines; --json prints the result alone"),
    **dict.fromkeys(("--background", "--daemon"), "--detach"),
    **dict.fromkeys(("--csv", "--output-format"), "`mirror-ray sql DIR QUERY --format csv`"),
    "--condition": "conditions=E1",
    "--seed": "seeds=3 for the number of scenes, seeds=[7] for the scene of seed 7",
    "--episodes": "--limit N for the first N scenes of each cell",
    "--follow": "`mirror-ray status DIR --watch`",
}
_KEYS = frozenset(
    (
        *("models", "stages", "conditions", "seeds", "runs", "temperature", "variant", "weight"),
        *("budget_usd", "tier", "fallback", "catalogue", "until", "name", "family", "max_steps"),
    )
)
"""The keys of sweeps that people try as options."""


def instead_of_command(word: str, commands: Iterable[str]) -> str:
    """Return what to type, or the nearest commands."""
    if word in _COMMANDS:
        return _COMMANDS[word]
    if word.endswith((".yaml", ".yml")):
        return f"a command comes first: `mirror-ray plan {word}`"
    close = close_names(word, commands, 3)
    return f"did you mean {' or '.join(close)}?" if close else "`mirror-ray --help` lists commands"


def instead_of_option(word: str, options: Iterable[str]) -> str:
    """Return what to type, or the nearest options of the command."""
    name, _, value = word.partition("=")
    key = name.lstrip("-").replace("-", "_")
    if key in _KEYS:
        return f"{key}={value or '…'}: {_NO_DASHES}"
    if name in _OPTIONS:
        return _OPTIONS[name]
    close = close_names(name, options, 2)
    return f"did you mean {' or '.join(close)}?" if close else "see --help"
