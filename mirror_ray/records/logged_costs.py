"""Whether a run has lost costs that its log had counted already."""

from pathlib import Path

from mirror_ray.core.untrusted import bounded_float
from mirror_ray.records.run_log import last_lines

_ROUNDING_USD = 1e-6


def lost_costs(home: Path, at_most_usd: float) -> str | None:
    """Return a message if the log has counted more than may have been spent.

    Args:
        at_most_usd: the most that all calls may have cost, by the journal.
    """
    counts = [line.get("spent_usd") for line in last_lines(home) if line["event"] == "progress"]
    logged_usd = bounded_float(counts[-1]) if counts else None
    if logged_usd is None or logged_usd <= at_most_usd + _ROUNDING_USD:
        return None
    return (
        f"run.log has counted {logged_usd:.4f} USD, the journal at most {at_most_usd:.4f} USD: the"
        " journal is an older copy, or was begun again; budgets count what it has"
    )
