"""Plays an episode of FlipSet: one picture, one question, one reply (arXiv 2602.15892).

`Ask.truth` has the keys ``answer``, the right letter, and ``options``, how many there are. It is
for agents whose planted trait is to know when they are wrong.

A reply without a readable answer counts as the answer "fail" and is not requested again. An API
failure ends the episode with an error, even with a text, if that has to be read leniently, because
it may be incomplete."""

from dataclasses import replace

import numpy as np

from mirror_ray.asking.channel import Stake, ask_forecast, channel_of, read_answered
from mirror_ray.contract.columns import columns_of
from mirror_ray.contract.listing import SUBJECT
from mirror_ray.contract.prompt_texts import texts_of
from mirror_ray.core.identity import EpisodeSpec
from mirror_ray.core.types import Ask, Facts, Outcome, Play, Reply, Turn
from mirror_ray.families.flipset.conditions import CONDITIONS
from mirror_ray.families.flipset.prompts import (
    forecast_prompt,
    max_reply_tokens,
    system_prompt,
    user_prompt,
)
from mirror_ray.families.flipset.reply import Answer, read_answer
from mirror_ray.families.flipset.settings import Settings
from mirror_ray.families.flipset.trials import LABELS, Trial, trial_of, type_size_of_set
from mirror_ray.world.tabletop.card import CardView

_COLUMNS = columns_of("flipset")


def max_asks(spec: EpisodeSpec) -> int:
    """Return 1, or 2 if a forecast is requested."""
    return 2 if channel_of(spec.cell) == "predict" else 1


def play(spec: EpisodeSpec, rng: np.random.Generator) -> Play:
    """Play one episode to its end. `rng` is unused: the scene seed determines everything."""
    condition, settings = CONDITIONS[spec.cell.condition], Settings.of(spec.cell)
    trial, wording, texts = trial_of(spec), spec.cell.variant, texts_of(spec.cell)
    view = CardView(
        text=trial.text,
        monkey_deg=trial.monkey_deg,
        screen=trial.screen,
        stands=settings.scene == "upright",
        type_size_px=type_size_of_set(settings),
        width_px=settings.width_px,
        height_px=settings.height_px,
        encoding=settings.encoding,
    )
    ask = Ask(
        role=SUBJECT,
        step=1,
        system=system_prompt(wording, texts),
        user=user_prompt(condition, settings, trial, wording, texts),
        views=(view,),
        max_tokens=max_reply_tokens(settings.prompting),
        truth={"answer": trial.gold, "options": len(trial.options)},
    )
    fields = episode_fields(trial, settings, wording)
    rows: list[Facts] = []
    if settings.channel == "predict":
        user = forecast_prompt(condition, settings, trial, wording, texts)
        turn, columns = yield from ask_forecast(replace(ask, user=user))
        rows.append({"answer": None, "chosen_kind": None, **_facts(turn), **columns})
        if turn.reply.error_kind != "none" and columns["parse_status"] != "strict":
            return Outcome(False, False, turn.reply.error_kind, fields, tuple(rows))
        ask = replace(ask, step=2)
    turn = yield ask
    said, stake = read_answered(turn.reply, settings.channel)
    answer = _answer(said, stake, trial, settings, ask.user)
    failed = turn.reply.error_kind != "none" and answer.status != "strict"
    rows.append(_step_row(turn, trial, None if failed else answer, stake))
    if failed:
        return Outcome(False, False, turn.reply.error_kind, fields, tuple(rows))
    return Outcome(True, False, "none", fields, tuple(rows))


def _facts(turn: Turn) -> Facts:
    return {name: turn.observation.facts.get(name) for name in _COLUMNS.facts}


def _answer(reply: Reply, stake: Stake, trial: Trial, settings: Settings, prompt: str) -> Answer:
    if stake.skipped:
        return Answer(None, "strict")
    answer = read_answer(reply, trial.options, settings.prompting, prompt)
    if not stake.problem:
        return answer
    status = "cleaned" if answer.status == "strict" else answer.status
    return replace(answer, status=status, fixes=(*answer.fixes, stake.problem))


def _step_row(turn: Turn, trial: Trial, answer: Answer | None, stake: Stake) -> Facts:
    facts = _facts(turn)
    if answer is None:
        return {"answer": None, "chosen_kind": None, **facts, **Stake().fields("answer")}
    if stake.skipped:
        kind = "skipped"
    else:
        kind = "fail" if answer.label is None else trial.kinds[LABELS.index(answer.label)]
    return {
        "parse_status": answer.status,
        "parse_fixes": list(answer.fixes),
        "answer": answer.label,
        "chosen_kind": kind,
        **facts,
        **stake.fields("answer"),
    }


def episode_fields(trial: Trial, settings: Settings, wording: str = "paper") -> Facts:
    """Return the family's columns of the episode, all of which are known before it is played."""
    return {
        "item_class": trial.item_class,
        "item": trial.text,
        "options": list(trial.options),
        "option_kinds": list(trial.kinds),
        "layout": trial.layout,
        "gold": trial.gold,
        "hidden": None if trial.screen == "none" else trial.screen == "between",
        "prompt": "framed" if wording == "framed" else "printed",
        **settings.columns,
    }
