"""`mirror-ray ctl` pauses, resumes, stops and retunes a running sweep."""

from argparse import Namespace
from collections.abc import Mapping
from typing import Any

from mirror_ray.cli.show import console, print_json
from mirror_ray.core.terminal import say
from mirror_ray.core.untrusted import bounded_float
from mirror_ray.engine.control.client import ask
from mirror_ray.engine.control.requests import request_of_words
from mirror_ray.engine.driver.money import usd_words
from mirror_ray.records.storage import home_of


def main(arguments: Namespace) -> int:
    """Print the state of the run once it has carried out the command."""
    state = ask(home_of(arguments.directory), request_of_words(arguments.words))
    if arguments.json:
        print_json(state)
    else:
        say(console, _in_words(state))
    return 0


def _in_words(state: Mapping[str, Any]) -> str:
    how = "stopping" if state.get("stopping") else "paused" if state.get("paused") else "playing"
    ceiling_usd = bounded_float(state.get("budget_usd"))
    of = "" if ceiling_usd is None else f" of {usd_words(ceiling_usd)}"
    parts = [
        f"{state.get('done')} done, {state.get('failed')} with an error,"
        f" {state.get('under_way')} under way, {state.get('waiting')} waiting",
        f"spent {usd_words(bounded_float(state.get('spent_usd')) or 0.0)}{of}",
    ]
    for key, limits in (state.get("limits") or {}).items():
        known = {name: value for name, value in limits.items() if value is not None}
        figures = ", ".join(f"{name} {value:g}" for name, value in known.items())
        parts.append(f"limits of {key}: {figures}")
    return f"{how}: {'; '.join(parts)}."
