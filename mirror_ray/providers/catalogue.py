"""The model catalogue, which maps names in a sweep to `Model`s.

Entries are layers over defaults. Only the names of keys are read here, never their values."""

from collections.abc import Iterable, Mapping, Sequence
from fnmatch import fnmatchcase
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

from mirror_ray.agents.registry import AGENTS
from mirror_ray.core.errors import SweepError
from mirror_ray.core.spelling import close_names, did_you_mean
from mirror_ray.providers.catalogue_file import CatalogueEntry, CatalogueFile, read_catalogue_file
from mirror_ray.providers.chat_backend import require_backend
from mirror_ray.providers.entry_models import (
    FIGURES,
    hosted_model,
    limits_of,
    merged,
    served_model,
    served_target,
)
from mirror_ray.providers.model import Limits, Model
from mirror_ray.providers.persons import is_person, person

_SCRIPTED = "scripted/"
ROSTER = "roster/"
"""The prefix of a roster's name in a sweep's list of models."""

_MOST_MODELS = 10_000
"""Most models of all files except the packaged one."""
MOST_DEFAULTS = 150
"""Most defaults of all files: each model is compared with every default."""
MOST_COMPARED = 800_000
"""Most comparisons, models × defaults: ten thousand models and the packaged defaults fit."""
_WHAT_IT_IS = ("family", "size_b", "released", "lab")
_OF_AN_AGENT = frozenset({"agent", "latency_s", "limits_key", *_WHAT_IT_IS, *FIGURES})


class Catalogue:
    """All models that a sweep can name.

    A model's settings are layers, later ones winning key by key: every `defaults` pattern that
    matches its target, in the order of the files, then its own entries under `models`. A layer with
    a `base_url` first drops the inherited settings of the provider's account: keys, limits and
    prices."""

    def __init__(self, sources: Iterable[tuple[str, CatalogueFile]]) -> None:
        self._defaults: list[tuple[str, CatalogueEntry]] = []
        self._entries: dict[str, list[tuple[str, CatalogueEntry]]] = {}
        self._rosters: dict[str, list[str]] = {}
        packaged: int | None = None
        for source, file in sources:
            packaged = len(file.models) if packaged is None else packaged
            self._defaults.extend(file.defaults.items())
            for name, entry in file.models.items():
                self._entries.setdefault(name, []).append((f"{source}: models.{name}", entry))
            _refuse_many(f"{source}: defaults", len(self._defaults), MOST_DEFAULTS)
            _refuse_many(f"{source}: models", len(self._entries), _MOST_MODELS, packaged)
            most_defaults = MOST_COMPARED // max(1, len(self._entries))
            _refuse_many(f"{source}: defaults", len(self._defaults), most_defaults)
            self._rosters.update(file.rosters)
            _refuse_many(f"{source}: rosters", len(self._rosters), _MOST_MODELS)
        self._matching: dict[str, list[CatalogueEntry]] = {}
        self._listed = {name: self._layered(name, layers) for name, layers in self._entries.items()}
        self._first_of_key: dict[str, tuple[Model, str]] = {}
        for model in self._listed.values():
            where = self._entries[model.name][-1][0]
            self._check_limits(model, where)
            self._first_of_key.setdefault(model.limits.key, (model, where))

    def match(self, pattern: str) -> tuple[str, ...]:
        """Return the listed and scripted names that match a glob, sorted; `*` crosses slashes."""
        return tuple(name for name in self._names() if fnmatchcase(name, pattern))

    def roster(self, name: str, where: str) -> tuple[str, ...]:
        """Return the models of the roster ``roster/NAME``, in the file's order. Raise SweepError,
        naming `where` (file and key), if it does not exist."""
        found = self._rosters.get(name.removeprefix(ROSTER))
        if found is None:
            known = [f"{ROSTER}{each}" for each in sorted(self._rosters)]
            raise SweepError(
                where,
                repr(name),
                ", ".join(known),
                did_you_mean(name, known) or "name one of them, or list the models",
            )
        return tuple(found)

    def resolve(self, name: str, where: str) -> Model:
        """Return a model: listed, ``scripted/<agent>``, ``human/<id>``, or litellm's
        ``provider/model``. Raise SweepError, naming `where` (file and key), if no backend serves
        it."""
        if is_person(name):
            return person(name, where)
        if name in self._listed:
            model = self._listed[name]
            require_backend(model, self._entries[name][-1][0])
            return model
        if name.startswith(_SCRIPTED):
            return self._scripted(name, name.removeprefix(_SCRIPTED), where, {})
        if self._serves(name):
            model = self._layered(name, [])
            require_backend(model, where)
            self._check_limits(model, where)
            return model
        close = close_names(name, self._names(), n=3)
        if len(parts := name.split()) > 1:
            close = [",".join(parts)]
        raise SweepError(
            where,
            repr(name),
            "a name of the catalogue (mirror-ray models), scripted/<agent>, human/<id>, or a"
            f" litellm name that begins with one of {', '.join(self._providers())}",
            f"did you mean {' or '.join(close)}?"
            if close
            else "write the variable outside single quotation marks, and set it"
            if "$" in name
            else "check the name, or add an entry with target and base_url to a catalogue file",
        )

    def _names(self) -> list[str]:
        return sorted({*self._listed, *(f"{_SCRIPTED}{agent}" for agent in AGENTS)})

    def _providers(self) -> list[str]:
        return sorted({f"{pattern.split('/')[0]}/" for pattern, _ in self._defaults})

    def _serves(self, target: str) -> bool:
        is_name = not target.endswith("/") and len(target.split()) == 1
        return is_name and bool(self._defaults_of(target))

    def _defaults_of(self, target: str) -> list[CatalogueEntry]:
        if target not in self._matching:
            self._matching[target] = [
                entry for pattern, entry in self._defaults if fnmatchcase(target, pattern)
            ]
        return self._matching[target]

    def _layered(self, name: str, layers: list[tuple[str, CatalogueEntry]]) -> Model:
        own = merged(entry.written() for _, entry in layers)
        where = layers[-1][0] if layers else name
        if own.get("agent") is not None:
            return self._scripted(name, own["agent"], where, own)
        if own.get("latency_s"):
            raise SweepError(
                f"{where}.latency_s",
                "latency_s for a hosted model",
                "latency_s with agent",
                "remove it, or name an agent",
            )
        if own.get("serve") is not None:
            defaults = [entry.written() for entry in self._defaults_of(served_target(own, name))]
            return served_model(name, where, [*defaults, *(one.written() for _, one in layers)])
        if own.get("usd_per_gpu_hour") is not None:
            raise SweepError(
                f"{where}.usd_per_gpu_hour",
                "a price of GPUs for a model that is served elsewhere",
                "usd_per_gpu_hour with serve",
                "remove it, or add serve",
            )
        target = own.get("target") or name
        if not (own.get("base_url") or own.get("backend") or self._serves(target)):
            raise SweepError(
                where,
                f"target {target!r} without base_url",
                f"a target that begins with one of {', '.join(self._providers())}, or a base_url",
                "add the server's base_url",
            )
        applied = [*self._defaults_of(target), *(entry for _, entry in layers)]
        return hosted_model(name, target, merged(entry.written() for entry in applied))

    def _scripted(self, name: str, agent: str, where: str, own: Mapping[str, Any]) -> Model:
        if agent not in AGENTS:
            raise SweepError(
                where,
                f"agent {agent!r}",
                ", ".join(sorted(AGENTS)),
                did_you_mean(agent, AGENTS) or "choose one of them",
            )
        # Imported now, because a plug-in's backend may be unusable.
        AGENTS[agent]
        foreign = sorted(set(own) - _OF_AN_AGENT)
        if foreign:
            raise SweepError(
                f"{where}.{foreign[0]}",
                f"{foreign[0]} for an agent",
                ", ".join(sorted(_OF_AN_AGENT)),
                f"remove {foreign[0]!r}",
            )
        return Model(
            name=name,
            backend="scripted",
            target=agent,
            limits=limits_of(name, own),
            usd_per_mtok_in=0.0,
            usd_per_mtok_out=0.0,
            latency_s=own.get("latency_s", 0.0),
            **{key: own[key] for key in _WHAT_IT_IS if key in own},
        )

    def _check_limits(self, model: Model, where: str) -> None:
        other, stated = self._first_of_key.get(model.limits.key, (model, where))
        differing = [
            figure
            for figure in FIGURES
            if getattr(model.limits, figure) != getattr(other.limits, figure)
        ]
        if differing:
            raise SweepError(
                where,
                f"{_figures(model.limits, differing)} for {model.name}, where {stated} has"
                f" {_figures(other.limits, differing)}",
                f"one allowance for all models that share limits_key {model.limits.key!r}: "
                f"{other.name} does, too",
                f"where this is a limit of {model.name} alone, add `limits_key: {model.name}` to"
                f" its entry; else state {' and '.join(differing)} in both entries, or for"
                " all at once under defaults",
            )


def _refuse_many(where: str, count: int, most: int, packaged: int = 0) -> None:
    count -= packaged
    if count > most:
        raise SweepError(
            where,
            f"{count:,} entries, with those of other catalogues",
            f"at most {most:,}",
            "leave out what the sweep does not use",
        )


def load_catalogue(*paths: Path) -> Catalogue:
    """Return the packaged catalogue, overridden by each file. A SweepError names file and key."""
    with as_file(files("mirror_ray.sweeps") / "models.yaml") as packaged:
        return Catalogue([(str(path), read_catalogue_file(path)) for path in (packaged, *paths)])


def _figures(limits: Limits, figures: Sequence[str]) -> str:
    stated = {figure: getattr(limits, figure) for figure in figures}
    return ", ".join(
        f"no {figure}"
        if one is None
        else f"{figure} {one:,g}"
        if isinstance(one, float)
        else f"{figure} {one}"
        for figure, one in stated.items()
    )
