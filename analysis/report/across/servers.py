"""The run's own model servers: which server answered for each model, and when it used which
GPUs."""

from mirror_ray.analysis.reading import Reading
from mirror_ray.analysis.report.cells import number_column, words
from mirror_ray.analysis.report.section import ReportTable

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

_HELD = """\
select
    if(server > 1, format('{} ({})', model, server), model) as server,
    host,
    array_to_string(
        [format('{:g} {}', entry.value, entry.key) for entry in map_entries(holds)
            if entry.value > 0], ', '
    ) as held,
    strftime(began_at, '%Y-%m-%d %H:%M:%S') as began,
    strftime(ready_at, '%Y-%m-%d %H:%M:%S') as ready,
    strftime(ended_at, '%Y-%m-%d %H:%M:%S') as until,
    held_s,
    starts,
    why_ended
from metric.server_timeline
order by server_timeline.began_at, model, server_timeline.server
limit 200"""


def servers(run: Reading) -> list[ReportTable]:
    """Return two tables; none if the run served no model itself."""
    held = run.table(_HELD)
    if not held.num_rows:
        return []
    return [
        _answered(run),
        ReportTable(
            "how_held",
            "Which server held what",
            "Servers that the run started itself, in the order they began, times in UTC; the first "
            "200.",
            _HELD,
            held,
            (
                words("server", "server"),
                words("host", "host"),
                words("held", "held"),
                words("began", "from"),
                words("ready", "ready"),
                words("until", "until"),
                number_column("held_s", "seconds"),
                number_column("starts", "starts"),
                words("why_ended", "why it ended"),
            ),
        ),
    ]


def _answered(run: Reading) -> ReportTable:
    return ReportTable(
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
            number_column("n_episodes", "episodes"),
            number_column("n_asks", "asks"),
            *(words(name, heading) for name, heading in _FACTS.items()),
            words("first_asked_at", "first asked"),
        ),
    )
