"""Keys of stages that are given at the top of a sweep and apply to every stage that has them."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from mirror_ray.contract.family import Family
from mirror_ray.contract.prompt_texts import PROMPTS, default_texts
from mirror_ray.contract.registry import FAMILIES
from mirror_ray.core.errors import SweepError
from mirror_ray.core.plain_yaml import Keys
from mirror_ray.core.shipped_files import shipped_yaml
from mirror_ray.core.spelling import did_you_mean
from mirror_ray.sweep.file import StageKeys, SweepKeys
from mirror_ray.sweep.interpolation import steps_of

_MOST_VALUE_CHARS = 60


@dataclass(slots=True)
class SharedKeys:
    """The keys at the top of one sweep that its stages take over.

    Args:
        taken_from: path of a stage's key → the key at the top.
        words: readable lines on what was applied to which stages.
        problems: keys at the top that no stage has.
    """

    taken_from: dict[Keys, Keys] = field(default_factory=dict)
    words: list[str] = field(default_factory=list)
    problems: list[SweepError] = field(default_factory=list)

    def apply(self, data: dict[str, Any], source: str, overrides: Sequence[str]) -> None:
        """Copy the keys into the stages.

        A stage's own value wins, in the file and on the command line; a key on the command line
        wins over the file. The keys stay at the top, for interpolations."""
        stages = data.get("stages")
        if not isinstance(stages, list):
            return
        given = [steps_of(override.partition("=")[0]) for override in overrides]
        on_line = {steps[0] for steps in given}
        for steps in given:
            self.taken_from.pop(steps[:3], None)
        own = {steps[:3] for steps in given}
        self.words.clear()
        self.problems.clear()
        # The family comes first, because it determines which keys a stage has.
        for key in sorted(shared_in(data), key=lambda key: key != "family"):
            applied, without = [], []
            for i, stage in enumerate(stages):
                if not isinstance(stage, dict):
                    without.append(f"stage {i} has no keys")
                    continue
                family = _family_of(stage)
                if key not in keys_of_stage(family):
                    without.append(f"{family.name if family else '?'} (stage {i}) has no {key}")
                    continue
                path = ("stages", str(i), key)
                is_free = key not in stage or (key in on_line and path not in own)
                if is_free and not _inherits(key, stage, family):
                    stage[key] = data[key]
                    self.taken_from[path] = (key,)
                if path in self.taken_from:
                    applied.append(i)
            if without and len(without) == len(stages):
                self.problems.append(_unknown(key, stages, source, without))
                continue
            self.words.append(_in_words(key, data[key], applied, without))


def shared_in(data: Mapping[str, Any]) -> list[str]:
    """Return the top-level keys that do not belong to the sweep itself."""
    return [key for key in data if key not in SweepKeys.model_fields]


def keys_of_stage(family: Family | None) -> list[str]:
    """Return all keys that a stage of the family may have."""
    own = list(StageKeys.model_fields)
    if family is None:
        return own
    further = [*family.axes, *family.options, *family.roles, *family.beside]
    return [*own, *further, *([PROMPTS] if default_texts(family.name).by_key else [])]


def _inherits(key: str, stage: Mapping[str, Any], family: Family | None) -> bool:
    conditions = stage.get("conditions")
    if key != "seeds" or key in stage or family is None or not isinstance(conditions, list):
        return False
    listings = (family.listings.get(one) for one in conditions if isinstance(one, str))
    return any(listing is not None and listing.after for listing in listings)


def _family_of(stage: Mapping[str, Any]) -> Family | None:
    name = stage.get("family")
    return FAMILIES.get(name) if isinstance(name, str) else None


def _unknown(key: str, stages: Sequence[object], source: str, without: Sequence[str]) -> SweepError:
    families = [_family_of(stage) if isinstance(stage, dict) else None for stage in stages]
    of_stages = dict.fromkeys(name for family in families for name in keys_of_stage(family))
    allowed = [*SweepKeys.model_fields, *of_stages]
    close = key_meant(key, allowed)
    keys = "a key of the sweep or of a stage" if close else f"one of {', '.join(allowed)}"
    return SweepError(
        f"{source}: {key}", repr(key), f"{keys}: {'; '.join(without[:3])}", close or f"remove {key}"
    )


def _in_words(key: str, value: object, applied: list[int], without: list[str]) -> str:
    shown = ", ".join(map(str, value)) if isinstance(value, list) else str(value)
    shown = shown if len(shown) <= _MOST_VALUE_CHARS else f"{shown[: _MOST_VALUE_CHARS - 1]}…"
    numbers = ", ".join(map(str, applied))
    words = f"{key}: {shown} " + (
        f"in stage{'' if len(applied) == 1 else 's'} {numbers}"
        if applied
        else "in no stage: each has its own value"
    )
    return "; ".join([words, *without[:3]])


def key_meant(name: str, allowed: Collection[str]) -> str | None:
    """Return a question for an error's `fix`: the key by its proper name, or one that is close."""
    ours = shipped_yaml("mirror_ray.sweep", "other_names.yaml").get(name.casefold())
    return f"did you mean {ours!r}?" if ours in allowed else did_you_mean(name, allowed)
