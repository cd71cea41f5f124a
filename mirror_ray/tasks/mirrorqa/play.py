"""How an episode of MirrorQA is played: one question, asked once or under every shift of options.

Knows the asks and what is written down; does not know pixels, providers or scores.

`Ask.truth`, for the oracle agent alone, has the key ``answer``: the right option in words.

A reply that names no option is a miss and is not asked for again. An API failure ends the episode
as failed; so does one with a text that has to be read leniently, since it may have broken off.
"""

import numpy as np

from mirror_ray.identity import EpisodeSpec
from mirror_ray.tasks.mirrorqa.columns import FACT_COLUMNS
from mirror_ray.tasks.mirrorqa.item import Item, shifted
from mirror_ray.tasks.mirrorqa.prompts import prompt
from mirror_ray.tasks.mirrorqa.questions import Question, option_count, question_of
from mirror_ray.tasks.mirrorqa.reply import Choice, read_choice
from mirror_ray.tasks.mirrorqa.settings import Settings, settings_of_episode
from mirror_ray.types import Ask, Facts, Outcome, Play, Turn

ROLE = "subject"
_DIRECT_TOKENS = 512
_STAGED_TOKENS = 2_048


def max_asks(spec: EpisodeSpec) -> int:
    """One, or as many as there are options."""
    return option_count(spec) if settings_of_episode(spec).circular else 1


def play(spec: EpisodeSpec, rng: np.random.Generator) -> Play:
    """Play one episode to its end.

    Args:
        rng: not drawn from: every model is asked the same.
    """
    settings = settings_of_episode(spec)
    question = question_of(spec, settings)
    item = question.item
    stages = spec.cell.variant == "cot"
    fields = _fields(question, settings)
    rows: list[Facts] = []
    for shift in range(len(item.options) if settings.circular else 1):
        options = shifted(item.options, shift)
        turn = yield Ask(
            role=ROLE,
            step=shift + 1,
            system="",
            user=prompt(
                item, options, question.examples, stages=stages, shows=not settings.text_only
            ),
            views=()
            if settings.text_only
            else tuple(one.view for one in (*question.examples, item) if one.view is not None),
            max_tokens=_STAGED_TOKENS if stages else _DIRECT_TOKENS,
            truth={"answer": item.answer.capitalize()},
        )
        choice = read_choice(turn.reply.text, options, turn.reply.finish_reason)
        failed = turn.reply.error_kind != "none" and choice.status != "strict"
        rows.append(_row(item, options, shift, turn, None if failed else choice))
        if failed:
            return Outcome(False, False, turn.reply.error_kind, fields, tuple(rows))
    return Outcome(True, False, "none", fields, tuple(rows))


def _row(
    item: Item, options: tuple[str, ...], shift: int, turn: Turn, choice: Choice | None
) -> Facts:
    """The family's columns of one ask; without a choice nothing was said."""
    option = choice.option if choice else None
    facts = turn.observation.facts
    # With examples the question's own picture is the last.
    facts = (facts.get("views") or [facts])[-1]
    return {
        "parse_status": choice.status if choice else None,
        "parse_fixes": list(choice.fixes) if choice else [],
        "superseded": False,
        "shift": shift,
        "options": list(options),
        "choice": option,
        "choice_position": options.index(option) + 1 if option else None,
        "answer_position": options.index(item.answer) + 1,
        "correct": option == item.answer if choice else None,
        **{name: facts.get(name) for name in FACT_COLUMNS},
    }


def _fields(question: Question, settings: Settings) -> Facts:
    """The family's columns of the episode."""
    item, sim = question.item, question.sim
    plan = sim.design if sim else None
    view = item.view
    return {
        "item": item.name,
        "split": question.split,
        "quirks": list(question.quirks),
        "kind": item.kind,
        "orientation": item.orientation,
        "question": item.question,
        "n_options": len(item.options),
        "answer": item.answer,
        "part": plan.part if plan else None,
        "mark": ("raised" if plan.raised else "worn") if plan else None,
        "facing": plan.facing if plan else None,
        "flank": plan.flank if plan else None,
        "shown": sim.shown if sim else None,
        "n_subjects": 1 + plan.others if plan else None,
        "viewer_answer": sim.viewer_answer if sim else None,
        "shots": settings.shots,
        "circular": settings.circular,
        "text_only": settings.text_only,
        "image_width_px": None if settings.text_only or view is None else view.width_px,
        "image_height_px": None if settings.text_only or view is None else view.height_px,
        "encoding": None if settings.text_only else settings.encoding,
    }
