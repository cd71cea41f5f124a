"""Plays an episode of MirrorQA: one question, asked once or under every shift of options.

`Ask.truth`, only for the oracle agent, has the key ``answer``: the right option in words. A reply
that names no option is a miss and is not requested again. An API failure ends the episode with an
error, even with a text, if that needs lenient reading, because it may be incomplete."""

from dataclasses import replace

import numpy as np

from mirror_ray.asking.channel import Stake, ask_forecast, read_answered
from mirror_ray.contract.columns import columns_of
from mirror_ray.contract.listing import SUBJECT
from mirror_ray.contract.prompt_texts import texts_of
from mirror_ray.core.identity import EpisodeSpec
from mirror_ray.core.types import Ask, Facts, Outcome, Play, Reply, Turn, View
from mirror_ray.families.mirrorqa.item import Item, shifted
from mirror_ray.families.mirrorqa.prompts import forecast_prompt, prompt
from mirror_ray.families.mirrorqa.questions import MirrorQuestion, option_count, question_of
from mirror_ray.families.mirrorqa.reply import Choice, read_choice
from mirror_ray.families.mirrorqa.settings import Settings

_COLUMNS = columns_of("mirrorqa")
_DIRECT_TOKENS = 512
_STAGED_TOKENS = 2_048


def max_asks(spec: EpisodeSpec) -> int:
    """Return 1, or the number of options if they are shifted; one more for a forecast."""
    settings = Settings.of(spec.cell)
    return (option_count(spec) if settings.circular else 1) + (settings.channel == "predict")


def play(spec: EpisodeSpec, rng: np.random.Generator) -> Play:
    """Play one episode to its end. `rng` is unused: every model is asked the same."""
    settings, texts = Settings.of(spec.cell), texts_of(spec.cell)
    question = question_of(spec, settings)
    item = question.item
    stages = spec.cell.variant == "cot"
    limb_right_px: float | None = None
    rows: list[Facts] = []
    views = () if settings.text_only else _views(question)
    truth = {"answer": item.answer.capitalize(), "options": len(item.options)}
    if settings.channel == "predict":
        turn, columns = yield from ask_forecast(
            Ask(
                role=SUBJECT,
                step=1,
                system="",
                user=forecast_prompt(
                    item, item.options, question.examples, shows=not settings.text_only, texts=texts
                ),
                views=views,
                truth=truth,
            )
        )
        facts = _facts(turn)
        rows.append(
            {**dict.fromkeys(_COLUMNS.steps.names), "superseded": False, **facts, **columns}
        )
        limb_right_px = facts["limb_right_px"]
        if turn.reply.error_kind != "none" and columns["parse_status"] != "strict":
            fields = _fields(question, settings, limb_right_px)
            return Outcome(False, False, turn.reply.error_kind, fields, tuple(rows))
    for shift in range(len(item.options) if settings.circular else 1):
        options = shifted(item.options, shift)
        user = prompt(
            item,
            options,
            question.examples,
            stages=stages,
            shows=not settings.text_only,
            channel=settings.channel,
            texts=texts,
        )
        turn = yield Ask(
            role=SUBJECT,
            step=len(rows) + 1,
            system="",
            user=user,
            views=views,
            max_tokens=_STAGED_TOKENS if stages else _DIRECT_TOKENS,
            truth=truth,
        )
        said, stake = read_answered(turn.reply, settings.channel)
        # The worked examples give their answers in the form of a reply, too.
        choice = _choice(said, stake, options, "" if question.examples else user)
        failed = turn.reply.error_kind != "none" and choice.status != "strict"
        rows.append(_row(item, shift, turn, None if failed else choice, stake))
        limb_right_px = rows[0]["limb_right_px"]
        if failed:
            fields = _fields(question, settings, limb_right_px)
            return Outcome(False, False, turn.reply.error_kind, fields, tuple(rows))
    return Outcome(True, False, "none", _fields(question, settings, limb_right_px), tuple(rows))


def _views(question: MirrorQuestion) -> tuple[View, ...]:
    items = (*question.examples, question.item)
    return tuple(one.view for one in items if one.view is not None)


def _choice(reply: Reply, stake: Stake, options: tuple[str, ...], prompt: str) -> Choice:
    if stake.skipped:
        return Choice(None, "strict")
    choice = read_choice(reply.text, options, reply.finish_reason, prompt)
    if not stake.problem:
        return choice
    status = "cleaned" if choice.status == "strict" else choice.status
    return replace(choice, status=status, fixes=(*choice.fixes, stake.problem))


def _facts(turn: Turn) -> Facts:
    facts = turn.observation.facts
    facts = (facts.get("views") or [facts])[-1]
    return {name: facts.get(name) for name in _COLUMNS.facts}


def _row(item: Item, shift: int, turn: Turn, choice: Choice | None, stake: Stake) -> Facts:
    options = shifted(item.options, shift)
    option = choice.option if choice else None
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
        **_facts(turn),
        **(stake if choice else Stake()).fields("answer"),
    }


def _fields(question: MirrorQuestion, settings: Settings, limb_right_px: float | None) -> Facts:
    """Return the episode's columns; where the limb is seen depends on its picture."""
    item, sim = question.item, question.sim
    plan = sim.design if sim else None
    view = item.view
    return {
        "item": item.name,
        "split": question.split,
        "quirks": list(question.quirks),
        "label": question.label,
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
        "viewer_answer": sim.viewer_answer(limb_right_px) if sim else None,
        "shots": settings.shots,
        "circular": settings.circular,
        "text_only": settings.text_only,
        "image_width_px": None if settings.text_only or view is None else view.width_px,
        "image_height_px": None if settings.text_only or view is None else view.height_px,
        "encoding": None if settings.text_only else settings.encoding,
        "channel": settings.channel,
    }
