"""What was read of a reply, and how."""

from dataclasses import dataclass
from typing import Generic, TypeVar

from mirror_ray.core.types import ParseStatus

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Read(Generic[T]):
    """What was read, and how."""

    value: T | None
    status: ParseStatus
    fixes: tuple[str, ...] = ()
    problem: str | None = None
