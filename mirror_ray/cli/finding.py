"""One finding of `mirror-ray doctor`."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

FindingVerdict: TypeAlias = Literal["ok", "note", "fault"]


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding: a fault keeps sweeps from running, a note does not."""

    topic: str
    verdict: FindingVerdict
    what: str
