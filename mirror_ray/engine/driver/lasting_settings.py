"""Live settings as plain figures: what is left of them by the time of a later run."""

from collections.abc import Mapping

from mirror_ray.engine.limiter.live_settings import KeyChange, LiveSettings

BUDGET = "budget_usd"
RATES = ("rpm", "tpm", "concurrency")


def lasting_settings_of(
    lasts: Mapping[tuple[str, str], float], bound_usd: float | None
) -> LiveSettings:
    """Return the settings of earlier runs that still apply.

    Args:
        lasts: (key, setting) → value, from `records.control_changes.lasting`.
        bound_usd: the most that the sweep's budget may be raised to, if any.
    """
    keys: dict[str, dict[str, float | None]] = {}
    for (key, name), value in lasts.items():
        if key and value >= 1.0:
            keys.setdefault(key, {})[name] = value
    usd = lasts.get(("", BUDGET))
    if usd is not None and bound_usd is not None:
        # A manifest may say anything, and a bound may have been lowered since.
        usd = min(usd, bound_usd)
    return LiveSettings(
        budget_usd=usd, keys={key: change_of(figures) for key, figures in keys.items()}
    )


def change_of(figures: Mapping[str, float | None]) -> KeyChange:
    """From the names of its figures."""
    calls = figures.get("concurrency")
    return KeyChange(
        rpm=figures.get("rpm"),
        tpm=figures.get("tpm"),
        concurrency=None if calls is None else int(calls),
    )


def change_text(change: KeyChange) -> str:
    """The figures that it changes."""
    figures = ((name, getattr(change, name)) for name in RATES)
    return ", ".join(f"{name} {value:g}" for name, value in figures if value is not None)
