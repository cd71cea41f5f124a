"""Consent: the text that a person agrees to before anything is shown, and the record of it.

The record is part of the run's manifest: person, time, the text and its hash. A person who agreed
to a different text is asked again."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from importlib.resources import files
from pathlib import Path
from typing import Any

from mirror_ray.core.bounded_files import read_bounded, text_of
from mirror_ray.core.errors import SweepError, UnfitError
from mirror_ray.core.untrusted import printable

PEOPLE_KEY = "people"
"""The key of a run's manifest that has, for each person, when they agreed, and to what."""

_MOST_BYTES = 64 * 1024


@dataclass(frozen=True, slots=True)
class ConsentText:
    """What a person agrees to."""

    text: str

    @property
    def sha256(self) -> str:
        """The hash of the text in UTF-8."""
        return sha256(self.text.encode()).hexdigest()

    def given_now(self) -> dict[str, str]:
        """Return what the manifest records about a person who agrees now."""
        agreed_at = datetime.now(UTC).isoformat(timespec="seconds")
        return {"agreed_at": agreed_at, "text_sha256": self.sha256, "text": self.text}


def consent_text(file: str | None) -> ConsentText:
    """Return the text of a file, or this package's own. Raise SweepError if it cannot be read, is
    larger than `_MOST_BYTES`, is not UTF-8, or is empty."""
    if file is None:
        packaged = files("mirror_ray.people") / "assets" / "consent.txt"
        return ConsentText(packaged.read_text(encoding="utf-8"))
    try:
        text = printable(text_of(read_bounded(Path(file), _MOST_BYTES))).strip()
    except UnfitError as error:
        raise error.at(f"command line: --consent: {file}") from error
    if not text:
        raise SweepError(
            "command line: --consent",
            f"{file}, which is empty",
            "a text that a person can agree to",
            "write it, or leave --consent out",
        )
    return ConsentText(f"{text}\n")


def consents_in(manifest: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Return each person's latest consent over all runs of a manifest, leaving out damaged ones."""
    found: dict[str, dict[str, Any]] = {}
    for run in manifest.get("runs", ()):
        given = run.get(PEOPLE_KEY)
        found |= {
            person: its
            for person, its in (given.items() if isinstance(given, dict) else ())
            if isinstance(its, dict) and isinstance(its.get("text_sha256"), str)
        }
    return found
