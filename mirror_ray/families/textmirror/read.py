"""The result of reading a reply."""

from dataclasses import dataclass
from typing import Generic, TypeVar

from mirror_ray.core.types import ParseStatus

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Read(Generic[_T]):
    """What was read, and how."""

    value: _T | None
    status: ParseStatus
    fixes: tuple[str, ...] = ()
    problem: str | None = None
