"""Play a whole run, with the checks before it and the computations after it, but without its
display."""

from os import environ

from rich.console import Console

from mirror_ray.api.forecasting import growth_in_words
from mirror_ray.core.errors import SweepError
from mirror_ray.core.first_names import first_names
from mirror_ray.core.terminal import say
from mirror_ray.engine.driver.run_summary import RunSummary
from mirror_ray.engine.driver.starting import Starting
from mirror_ray.providers.credentials import missing_env, missing_packages, unusable_keys
from mirror_ray.providers.known_models import misspelt
from mirror_ray.records.rundir import refuse_in_use
from mirror_ray.records.storage_fault import faults_reported
from mirror_ray.stopping.forecast import until_in_words
from mirror_ray.sweep.commands import require_permission
from mirror_ray.sweep.demands import structures_in_words, withheld_in_words
from mirror_ray.sweep.plan import Plan
from mirror_ray.sweep.registration import require_registered
from mirror_ray.sweep.sharding import shard_in_words
from mirror_ray.sweep.stages import limit_in_words, presume

_MOST_NAMED = 10


def play(plan: Plan, *, console: Console, plain: bool, allow_commands: bool = False) -> RunSummary:
    """Play the plan, and write the views and intervals of its run directory.

    Args:
        plain: print lines of progress instead of a live display.
        allow_commands: whether the commands that the sweep's catalogues name may run.

    Raises:
        SweepError: a model lacks its key or its package, its server's command is not allowed, or a
            later stage cannot be listed; nothing was started.
        RunDirError, RenderError, EngineError: as `mirror_ray.engine.driver.run.play_plan`.
    """
    with Starting(console, plain=plain) as starting:
        starting.step("Planning the episodes and loading the engine")
        require_permission(plan, allowed=allow_commands)
        if plan.sweep.registration is None:
            require_registered(plan)
        refuse_in_use(plan.sweep.out)
        _require_credentials(plan)
        _refuse_unusable_keys(plan)
        # Report errors in later stages before the first stage is paid for.
        presume(plan)
        # Imported late: neither a typing mistake nor --help should wait for Ray or DuckDB.
        from mirror_ray.analysis.derived import write_derived  # noqa: PLC0415
        from mirror_ray.analysis.episode_scores import episode_scores  # noqa: PLC0415
        from mirror_ray.analysis.warehouse import write_views  # noqa: PLC0415
        from mirror_ray.engine.driver.run import play_plan  # noqa: PLC0415

    for line in (*structures_in_words(plan), *withheld_in_words(plan)):
        say(console, line)
    _warn_of_unknown_prices(plan, console)
    for line in misspelt(plan.models.values()):
        say(console, line)
    shard = shard_in_words(plan.sweep.shard)
    for line in (*shard, *limit_in_words(plan), *until_in_words(plan), *growth_in_words(plan)):
        say(console, line)
    # Written at the start, so that DuckDB's command line can query a run in progress.
    summary = play_plan(
        plan, console=console, plain=plain, read_scores=episode_scores, begun=write_views
    )
    out = plan.sweep.out
    with (
        Starting(console, plain=plain) as ending,
        faults_reported(out, "the results cannot be written"),
    ):
        ending.step("Computing the tables")
        write_derived(out)
    return summary


def _warn_of_unknown_prices(plan: Plan, console: Console) -> None:
    unpriced = [
        model.name
        for model in plan.models.values()
        if model.usd_per_mtok_in is None or model.usd_per_mtok_out is None
    ]
    sweep = plan.sweep
    has_budget = sweep.budget_usd or sweep.budget_per_model_usd or sweep.budget_per_cell_usd
    if has_budget and unpriced:
        say(
            console,
            f"Budgets are checked only after each reply for {first_names(unpriced, _MOST_NAMED)}:"
            " unknown prices can be given in a model catalogue.",
        )


def _refuse_unusable_keys(plan: Plan) -> None:
    """Refuse a key that no server could accept, before anything starts. Never show the key."""
    for model in plan.models.values():
        for name, fault in unusable_keys(model, environ).items():
            raise SweepError(
                f"environment: {name}, for {model.name}",
                fault,
                "the key alone, as its provider shows it",
                f"export {name}=… again, without it",
            )


def _require_credentials(plan: Plan) -> None:
    """Refuse to call any model while one lacks credentials; report all that are missing."""
    for what, lacking, fix in (
        ("environment variable", lambda model: missing_env(model, environ), "export {}=…"),
        ("Python package", missing_packages, "pip install {}"),
    ):
        missing = {m.name: names for m in plan.models.values() if (names := lacking(m))}
        if missing:
            all_names = sorted({name for names in missing.values() for name in names})
            raise SweepError(
                f"{plan.sweep.source}: models",
                f"{first_names(list(missing), _MOST_NAMED)} without "
                f"{first_names(all_names, _MOST_NAMED)}",
                f"each model's {what}s there",
                "; ".join(map(fix.format, all_names[:_MOST_NAMED]))
                + f"{' …' if len(all_names) > _MOST_NAMED else ''}; or choose scripted/ models",
            )
