"""How sure an agent is of its task: a forecast before its first step, or a stake after `done`.

Each such request is a new conversation before the first or after the last step, whose prompts are
not changed. [Our decision] throughout: no paper asks an embodied agent this."""

from collections.abc import Generator
from dataclasses import dataclass, replace

from mirror_ray.asking.channel import (
    PREDICTION_TOKENS,
    AskedFor,
    Stake,
    prediction_prompt,
    read_prediction,
    read_stake,
    stake_columns,
    stake_prompt,
)
from mirror_ray.contract.columns import columns_of
from mirror_ray.contract.prompt_texts import Texts
from mirror_ray.core.error_kinds import ErrorKind
from mirror_ray.core.types import Ask, Facts, ParseStatus, Turn
from mirror_ray.families.selfid.prompts import ended_text, forecast_text
from mirror_ray.families.selfid.rows import current_facts
from mirror_ray.families.selfid.settings import MirrorCalled, Settings
from mirror_ray.world.room.scene import Pose

_COLUMNS = columns_of("selfid")


@dataclass(frozen=True, slots=True)
class Staked:
    """The row of a request for a forecast or a stake, and why it failed, if it did."""

    row: Facts
    error_kind: ErrorKind = "none"


def forecast(
    ask: Ask, position: str, pose: Pose, mirror_called: MirrorCalled, texts: Texts
) -> Generator[Ask, Turn, Staked]:
    """Ask, before the first step, how likely the task is to succeed."""
    user = prediction_prompt(forecast_text(position, mirror_called, texts))
    turn = yield replace(ask, system="", user=user, reply_schema=None, max_tokens=PREDICTION_TOKENS)
    stake, status = read_prediction(turn.reply.text)
    return _staked(turn, stake, status, pose, asked_for="prediction")


def stake_on(
    ask: Ask, settings: Settings, cube: str | None, words: str, pose: Pose, *, texts: Texts
) -> Generator[Ask, Turn, Staked]:
    """Ask, after `done`, what the model stakes on the cube that it selected. `words` are the last
    steps, including the final one, and where it was taken."""
    ended = ended_text(words, cube, settings.mirror_called, texts)
    user = f"{ended}\n{stake_prompt(settings.channel)}"
    turn = yield replace(ask, system="", user=user, reply_schema=None, max_tokens=PREDICTION_TOKENS)
    stake, status = read_stake(turn.reply.text, settings.channel)
    return _staked(turn, stake, status, pose, asked_for="stake")


def _staked(
    turn: Turn, stake: Stake, status: ParseStatus, pose: Pose, *, asked_for: AskedFor
) -> Staked:
    said = stake_columns(turn, stake, status, asked_for)
    facts = current_facts(turn.observation)
    row = {
        **dict.fromkeys(_COLUMNS.steps.names),
        "superseded": False,
        "x_m": pose.x_m,
        "y_m": pose.y_m,
        "yaw_deg": pose.yaw_deg,
        **{name: facts.get(name) for name in _COLUMNS.facts},
        **said,
    }
    return Staked(row, "none" if said["parse_status"] else turn.reply.error_kind)
