"""Commands that need more than the core installs report a missing extra before they start."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from mirror_ray.core.errors import SweepError


@contextmanager
def needs_extra(extra: str, packages: Sequence[str]) -> Iterator[None]:
    """Wrap the imports of an extra's packages. Raise SweepError if one of them is not installed."""
    try:
        yield
    except ModuleNotFoundError as error:
        missing = (error.name or "").partition(".")[0]
        if missing not in packages:
            raise
        raise SweepError(
            "this installation",
            f"no package {missing!r}",
            f"the packages of the extra {extra!r}",
            f'pip install "mirror-ray[{extra}]"',
        ) from error
