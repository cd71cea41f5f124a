"""The run's own model servers: what answered for each model, and which held what when."""

from collections.abc import Mapping
from typing import Any

from mirror_ray.analysis.reading import Reading, Row
from mirror_ray.analysis.report.across.manifest_table import from_manifest
from mirror_ray.analysis.report.cells import number, words
from mirror_ray.analysis.report.section import Table
from mirror_ray.records.servers import timeline
from mirror_ray.untrusted import bounded_float, one_printable_line

_MOST_LINES = 200
_FACTS = {
    "engine": "engine",
    "engine_version": "version",
    "weights": "weights",
    "weights_commit": "commit",
    "command_line": "command line",
    "sampling_defaults": "sampling defaults",
    "chat_template_sha": "chat template",
    "gpus": "GPUs",
    "driver": "driver",
}
_ANSWERED = """\
select
    model,
    fingerprint,
    any_value(engine) as engine,
    any_value(engine_version) as engine_version,
    any_value(weights) as weights,
    any_value(weights_commit) as weights_commit,
    any_value(command_line) as command_line,
    any_value(sampling_defaults) as sampling_defaults,
    any_value(chat_template_sha) as chat_template_sha,
    any_value(gpus) as gpus,
    any_value(driver) as driver,
    count(distinct episode_id) as n_episodes,
    sum(n_asks) as n_asks,
    min(first_asked_at) as first_asked_at,
    if(bool_or(fingerprint_changed), 'changed', 'first') as which
from metric.servers
group by model, fingerprint
order by model, first_asked_at nulls last, fingerprint"""


def servers(run: Reading) -> list[Table]:
    """Two tables; none of a run that served no model itself."""
    lines = timeline(run.manifest or {})
    if not lines:
        return []
    held = from_manifest(
        "how_held",
        "Which server held what",
        f"Servers that the run started itself, in the order they began; the first {_MOST_LINES}.",
        [_held(line) for line in lines[:_MOST_LINES]],
        ("server", "host", "held", "from", "ready", "until", "seconds", "starts", "why it ended"),
    )
    return [_answered(run), held]


def _answered(run: Reading) -> Table:
    return Table(
        "how_servers",
        "The run's own model servers",
        "What answered for each model, as far as it could be found out, and how much of the run. "
        "The fingerprint is of engine, weights, arguments, chat template, GPUs and driver; "
        "changed: another one answered for the model before.",
        _ANSWERED,
        run.table(_ANSWERED),
        (
            words("model", "model"),
            words("fingerprint", "fingerprint"),
            words("which", "which"),
            number("n_episodes", "episodes"),
            number("n_asks", "asks"),
            *(words(name, heading) for name, heading in _FACTS.items()),
            words("first_asked_at", "first asked"),
        ),
    )


def _held(line: Mapping[str, Any]) -> Row:
    replica = bounded_float(line.get("replica"), 0.0, 1e6) or 0.0
    holds = line.get("holds")
    amounts = holds.items() if isinstance(holds, Mapping) else ()
    read = {what: bounded_float(amount, 0.0, 1e6) for what, amount in list(amounts)[:20]}
    held_s = bounded_float(line.get("held_s"), 0.0, 1e9)
    return {
        "server": _text(line.get("model")) + (f" ({replica + 1:.0f})" if replica else ""),
        "host": _text(line.get("host")),
        "held": ", ".join(f"{amount:g} {_text(what)}" for what, amount in read.items() if amount),
        "from": _text(line.get("began_at")),
        "ready": _text(line.get("ready_at")),
        "until": _text(line.get("ended_at")),
        "seconds": "" if held_s is None else f"{held_s:,.0f}",
        "starts": _text(line.get("starts")),
        "why it ended": _text(line.get("why_ended")),
    }


def _text(value: object) -> str:
    return "" if value is None else one_printable_line(str(value))
