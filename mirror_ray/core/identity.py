"""The identities of cells and episodes, and the randomness seeded by them.

Identities are content hashes. Equal identities are equal on every machine and in every process."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from json import JSONEncoder
from typing import Any, TypeAlias

import numpy as np

Scalar: TypeAlias = str | int | float | bool

_SETTING = re.compile(r"\+([a-z][a-z0-9_]*)=")

# Made once: a resumed run names hundreds of thousands of episodes, and `dumps` would make one each
# time.
_CANONICAL = JSONEncoder(sort_keys=True, separators=(",", ":"), ensure_ascii=True)
_IN_ORDER = JSONEncoder(separators=(",", ":"), ensure_ascii=True)


_NONE: Mapping[str, Any] = {}
"""Shared by all episodes without `given`; a `mappingproxy` could not be pickled."""


def content_hash(*parts: object) -> str:
    """Return 16 hex digits of the SHA-256 of the parts' canonical JSON, equal on all machines."""
    return sha256(_CANONICAL.encode(parts).encode()).hexdigest()[:16]


def seeded(*identity: object) -> np.random.Generator:
    """Return a generator whose stream depends on the identity alone."""
    number = sha256(_IN_ORDER.encode(identity).encode()).digest()[::-1].rstrip(b"\0")
    # The digest's words as a big-endian number; numpy splits a Python int three times slower.
    words = np.frombuffer(number + bytes(-len(number) % 4), "<u4")
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(words)))


@dataclass(frozen=True, slots=True)
class Cell:
    """One point of the sweep: everything that is the same for all its episodes.

    Args:
        models: (role, model name) pairs, the subject first: the cell belongs to that model.
        temperature: requested sampling temperature; None leaves it to the provider.
        variant: the named protocol or prompt variant.
        axes: (name, value) of the family's axes that differ from their defaults, sorted by name, so
            that a new axis does not change the identity of old cells.
        protocol: the version of the family's protocol; it changes whenever what the family sends,
            or how it plays, changes under the same names.
        prompts: key → text of its prompt set, if that is not the family's own. Its axis `prompts`
            names the set with a hash of these texts.
    """

    family: str
    condition: str
    models: tuple[tuple[str, str], ...]
    temperature: float | None
    variant: str
    axes: tuple[tuple[str, Scalar], ...] = ()
    protocol: int = 1
    prompts: Mapping[str, str] = field(default_factory=dict, compare=False, repr=False)
    cell_id: str = field(init=False, compare=False, repr=False)
    """Content hash of all fields but `prompts`."""

    def __post_init__(self) -> None:
        words = (self.family, self.protocol, self.condition, self.models, self.temperature)
        object.__setattr__(self, "cell_id", content_hash(*words, self.variant, self.axes))

    def __hash__(self) -> int:
        # Plans look cells up for every episode; a hash of all fields would cost ten times as much.
        return hash(self.cell_id)

    @property
    def model(self) -> str:
        """The model of the first role, to which the cell belongs: the value of the `model`
        column."""
        return self.models[0][1]

    @property
    def beside(self) -> tuple[tuple[str, str], ...]:
        """The roles after the first one, and their models."""
        return self.models[1:]

    @property
    def others(self) -> tuple[str, ...]:
        """The other models that its episodes query, each once."""
        if len(self.models) == 1:
            return ()
        return tuple(dict.fromkeys(name for _, name in self.beside if name != self.model))

    def model_of(self, role: str) -> str:
        """Return the model of `role`. Raise KeyError if the cell has no such role."""
        return dict(self.models)[role]

    @property
    def variant_label(self) -> str:
        """The value of the `variant` column: ``paper``, or ``paper+fov_deg=90`` off the
        defaults; with another model in a further role, ``plain+partner=lab/name``."""
        others = [f"{role}={name}" for role, name in self.beside if name != self.model]
        axes = [f"{name}={value}" for name, value in self.axes]
        return "+".join([self.variant, *others, *axes])


def variant_words(label: str) -> str:
    """Return a variant's label as people read it: ``paper · max steps 14 · circular``."""
    variant, *settings = _SETTING.split(label)
    words = [variant]
    for name, value in zip(settings[::2], settings[1::2], strict=True):
        said = name.replace("_", " ")
        words.append({"True": said, "False": f"no {said}"}.get(value, f"{said} {value}"))
    return " · ".join(words)


@dataclass(frozen=True, slots=True)
class EpisodeSpec:
    """One episode of a cell. (scene_seed, run) identifies the scene, which is the same for every
    model.

    Args:
        given: JSON-able data from a listing: a question, or an earlier episode's result.
        places: name → current path of a file that it uses; not part of its identity.
    """

    cell: Cell
    scene_seed: int
    run: int
    given: Mapping[str, Any] = field(default_factory=lambda: _NONE, hash=False, repr=False)
    places: Mapping[str, str] = field(default_factory=lambda: _NONE, compare=False, repr=False)
    episode_id: str = field(init=False, compare=False, repr=False)
    """Content hash of cell, scene seed, run and what is given, if anything."""

    def __post_init__(self) -> None:
        scene = self.cell.cell_id, self.scene_seed, self.run
        if self.given:
            episode_id = content_hash(*scene, self.given)
        else:
            # Like `content_hash`, in a third of the time: a sweep may have millions of episodes.
            episode_id = sha256(b'["%b",%d,%d]' % (scene[0].encode(), *scene[1:])).hexdigest()[:16]
        object.__setattr__(self, "episode_id", episode_id)

    def rng(self) -> np.random.Generator:
        """Return the random stream of this episode alone."""
        return seeded("episode", self.episode_id)

    def scene_rng(self, purpose: str) -> np.random.Generator:
        """Return the stream of this episode's scene: equal over models, conditions and axes.

        Conditions share it on purpose: E1, E2 and E3 of one (scene_seed, run) differ only in the
        manipulation, so that conditions can be compared in pairs."""
        return seeded("scene", self.cell.family, self.scene_seed, self.run, purpose)
