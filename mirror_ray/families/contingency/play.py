"""Plays an episode of contingency: a loop of seeing three screens, asking, reading and moving.

An answer other than `unsure` ends an episode. An unreadable reply is requested once more; in a step
without a readable reply the hand does not move. An API failure ends the episode with an error.

`Ask.truth`, only for the oracle agent, has the key ``answer``: the reply that names one's own
image."""

from collections import deque
from collections.abc import Sequence

import numpy as np

from mirror_ray.asking.reask import ASKS_PER_STEP, Heard, asked, asking_again
from mirror_ray.contract.columns import columns_of
from mirror_ray.contract.listing import SUBJECT
from mirror_ray.contract.prompt_texts import texts_of
from mirror_ray.core.identity import EpisodeSpec
from mirror_ray.core.types import Ask, Facts, Outcome, Play, View
from mirror_ray.families.contingency.moving import HandMove, hand_shown, path
from mirror_ray.families.contingency.prompts import system_prompt, user_prompt
from mirror_ray.families.contingency.reply import HandDecision, read_reply
from mirror_ray.families.contingency.scenes import Screens, sample_screens
from mirror_ray.families.contingency.settings import Settings
from mirror_ray.world.screens.scene import PLACES, ScreenContent, ScreensView

_COLUMNS = columns_of("contingency")


def max_asks(spec: EpisodeSpec) -> int:
    """Return the most requests an episode can take: each step's reply may be requested twice."""
    return ASKS_PER_STEP * Settings.of(spec.cell).max_steps


def play(spec: EpisodeSpec, rng: np.random.Generator) -> Play:
    """Play one episode to its end. `rng` is unused: every model gets the same scene."""
    screens, settings = sample_screens(spec), Settings.of(spec.cell)
    fields, texts = _fields(screens, settings), texts_of(spec.cell)
    moves: list[HandMove] = []
    past: list[str | None] = []
    pictures: deque[View] = deque(maxlen=settings.frames)
    rows: list[Facts] = []
    for step in range(1, settings.max_steps + 1):
        places = path(moves)
        shown = screens_after(screens, moves, delay=settings.delay)
        pictures.append(
            ScreensView(shown, settings.width_px, settings.height_px, settings.encoding)
        )
        ask = Ask(
            role=SUBJECT,
            step=step,
            system=system_prompt(texts),
            user=user_prompt(
                shirt=screens.shirts["own"],
                hand=places[-1],
                past=past[-settings.history :] if settings.history else (),
                stopped=bool(moves) and moves[-1] != "stay" and places[-1] == places[-2],
                left=settings.max_steps - step + 1,
                n_frames=len(pictures),
                texts=texts,
            ),
            views=tuple(pictures),
            truth={"answer": _right_reply(screens)},
        )
        heard = yield from asked(ask, read_reply, asking_again(texts))
        last = heard[-1]
        rows += [_row(one, places[-1] != places[0], shown, screens) for one in heard]
        if last.error_kind != "none":
            return Outcome(False, False, last.error_kind, fields, tuple(rows))
        if last.decision is not None and last.decision.answer != "unsure":
            return Outcome(True, False, "none", fields, tuple(rows))
        move = last.decision.move if last.decision else "stay"
        past.append(move if last.decision else None)
        moves.append(move)
    return Outcome(False, True, "none", fields, tuple(rows))


def screens_after(
    screens: Screens, moves: Sequence[HandMove], *, delay: int
) -> tuple[ScreenContent, ScreenContent, ScreenContent]:
    """Return what the screens show after these moves of one's own hand, from left to right."""
    left, middle, right = (
        ScreenContent(
            screens.dressed(image),
            hand_shown(image.follows, moves, delay=delay, other_way=screens.other_way, will=will),
        )
        for image, will in zip(screens.images, screens.wills, strict=True)
    )
    return left, middle, right


def _right_reply(screens: Screens) -> str:
    answer = screens.own or "none"
    return f'{{"view": "", "reasoning": "I know.", "move": "stay", "answer": "{answer}"}}'


def _row(
    heard: Heard[HandDecision], has_moved: bool, shown: tuple[ScreenContent, ...], screens: Screens
) -> Facts:
    decision = heard.decision
    facts = heard.turn.observation.facts if heard.turn.observation else {}
    own = shown[PLACES.index(screens.own)].hand if screens.own else None
    return {
        **heard.columns,
        "move": decision.move if decision else None,
        "answer": decision.answer if decision else None,
        "has_moved": has_moved,
        "differs": None if own is None else [one.hand != own for one in shown],
        **{name: facts.get(name) for name in _COLUMNS.facts},
        "view_description": decision.view if decision else None,
        "thought": decision.reasoning if decision else None,
    }


def _fields(screens: Screens, settings: Settings) -> Facts:
    return {
        "own_place": screens.own or "none",
        "follows": [image.follows for image in screens.images],
        "wears": [image.wears for image in screens.images],
        "own_shirt": screens.shirts["own"],
        **settings.columns,
    }
