"""People among the models: ``human/<id>`` is the pseudonym of somebody at a browser."""

import re

from mirror_ray.core.errors import SweepError
from mirror_ray.providers.model import Limits, Model

PREFIX = "human/"
MAJORITY = "majority"
"""Not a person's id: ``human/majority`` is the answer that most of them gave."""

_ID = re.compile(r"[a-z0-9][a-z0-9_-]{0,31}")


def is_person(model: str) -> bool:
    """Return whether the name of a model is that of a person."""
    return model.startswith(PREFIX)


def id_of(model: str) -> str:
    """Return the pseudonym in a person's name as a model."""
    return model.removeprefix(PREFIX)


def require_id(given: str, where: str) -> str:
    """Return the pseudonym after checking it. The SweepError names `where`, a file and key or an
    option."""
    if _ID.fullmatch(given) and given != MAJORITY:
        return given
    raise SweepError(
        where,
        repr(given[:80]),
        "a pseudonym of 1 to 32 of a-z, 0-9, _ and -, which begins with a letter or digit;"
        f" not {MAJORITY}",
        "e.g. p01; no name, no address",
    )


def person(model: str, where: str) -> Model:
    """Return the catalogue entry of a person: no server, limits, price or temperature. Raise
    SweepError if the part after ``human/`` is not a pseudonym."""
    return Model(
        name=model,
        backend="person",
        target=require_id(id_of(model), where),
        limits=Limits(key=model),
        usd_per_mtok_in=0.0,
        usd_per_mtok_out=0.0,
        sends_temperature=False,
    )
