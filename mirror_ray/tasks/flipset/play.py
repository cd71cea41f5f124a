"""How an episode of FlipSet is played: one picture, one question, one reply (arXiv 2602.15892).

Knows the order of events; does not know pixels, providers or scores.

A reply without a readable answer counts as the answer "fail"; it is not asked again. An API
failure ends the episode as failed; so does one with a text that has to be read leniently, since it
may have broken off.
"""

import numpy as np

from mirror_ray.identity import EpisodeSpec
from mirror_ray.tasks.flipset.columns import FACT_COLUMNS
from mirror_ray.tasks.flipset.conditions import CONDITIONS
from mirror_ray.tasks.flipset.prompts import SYSTEM, max_reply_tokens, user_prompt
from mirror_ray.tasks.flipset.reply import Answer, read_answer
from mirror_ray.tasks.flipset.settings import Settings, settings_of
from mirror_ray.tasks.flipset.trials import LABELS, Trial, trial_of
from mirror_ray.types import Ask, Facts, Outcome, Play, Turn
from mirror_ray.world.tabletop import CardView

ROLE = "subject"


def max_asks(spec: EpisodeSpec) -> int:
    """One question an episode."""
    return 1


def play(spec: EpisodeSpec, rng: np.random.Generator) -> Play:
    """Play one episode to its end.

    Args:
        rng: not drawn from: the scene seed names everything.
    """
    condition, settings = CONDITIONS[spec.cell.condition], settings_of(spec.cell)
    trial = trial_of(spec)
    view = CardView(
        text=trial.text,
        monkey_deg=trial.monkey_deg,
        screen=trial.screen,
        width_px=settings.width_px,
        height_px=settings.height_px,
        encoding=settings.encoding,
    )
    turn = yield Ask(
        role=ROLE,
        step=1,
        system=SYSTEM,
        user=user_prompt(condition, settings, trial),
        views=(view,),
        max_tokens=max_reply_tokens(settings.prompting),
    )
    fields = episode_fields(trial, settings)
    answer = read_answer(turn.reply, trial.options, settings.prompting)
    if turn.reply.error_kind != "none" and answer.status != "strict":
        return Outcome(False, False, turn.reply.error_kind, fields, (_step_row(turn, trial, None),))
    return Outcome(True, False, "none", fields, (_step_row(turn, trial, answer),))


def _step_row(turn: Turn, trial: Trial, answer: Answer | None) -> Facts:
    """The family's columns of the ask; without an answer nothing was said."""
    facts = {name: turn.observation.facts.get(name) for name in FACT_COLUMNS}
    if answer is None:
        return {"answer": None, "chosen_kind": None, **facts}
    kind = "fail" if answer.label is None else trial.kinds[LABELS.index(answer.label)]
    return {
        "parse_status": answer.status,
        "parse_fixes": list(answer.fixes),
        "answer": answer.label,
        "chosen_kind": kind,
        **facts,
    }


def episode_fields(trial: Trial, settings: Settings) -> Facts:
    """The family's columns of the episode: all of them are known beforehand."""
    return {
        "item_class": trial.item_class,
        "item": trial.text,
        "options": list(trial.options),
        "option_kinds": list(trial.kinds),
        "layout": trial.layout,
        "gold": trial.gold,
        "angle_deg": settings.angle_deg,
        "hidden": None if trial.screen == "none" else trial.screen == "between",
        "prompting": settings.prompting,
        "layouts": settings.layouts,
        "strings": settings.strings,
        "image_width_px": settings.width_px,
        "image_height_px": settings.height_px,
        "encoding": settings.encoding,
    }
