"""Plays an episode of marktest: a loop of seeing, asking, reading and moving the hand.

A touch of the mark, wherever it is, or `end` ends an episode; any other touch does not. An
unreadable reply is requested once more; a step without a readable reply does nothing. An API
failure ends the episode with an error.

`Ask.truth`, only for the oracle agent, has the key ``way``: the next action of the shortest way to
the right end."""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from mirror_ray.asking.reask import ASKS_PER_STEP, Heard, asked, asking_again
from mirror_ray.contract.columns import columns_of
from mirror_ray.contract.listing import SUBJECT
from mirror_ray.contract.prompt_texts import Texts, texts_of
from mirror_ray.core.identity import EpisodeSpec
from mirror_ray.core.types import Ask, Facts, Outcome, Play
from mirror_ray.families.marktest.conditions import CONDITIONS
from mirror_ray.families.marktest.prompts import PastStep, system_prompt, touch_text, user_prompt
from mirror_ray.families.marktest.reaching import MOVES, Move, Touched, hand_mark_m, moved, touched
from mirror_ray.families.marktest.reply import ReachDecision, read_reply
from mirror_ray.families.marktest.scenes import sample_scene
from mirror_ray.families.marktest.settings import Settings
from mirror_ray.families.marktest.words import claim_of, image_as
from mirror_ray.world.reaching.body import LatticeCell
from mirror_ray.world.reaching.scene import MarkScene, ReachView

_REMEMBERED = 1_024
_COLUMNS = columns_of("marktest")


@lru_cache(maxsize=_REMEMBERED)
def way(scene: MarkScene, start: LatticeCell) -> tuple[Move, ...]:
    """Return the fewest moves to a touch of one's own body where the mark is, or would be. Raise
    ValueError if there is no way, for example from outside the arm's reach."""
    target = "mark" if scene.marked in ("own", "hand") else "place"
    ways: dict[LatticeCell, tuple[Move, ...]] = {start: ()}
    frontier = [start]
    while frontier:
        for cell in frontier:
            if touched(scene, cell) == target:
                return ways[cell]
        reached: list[LatticeCell] = []
        for cell in frontier:
            for move in MOVES:
                after = moved(scene, cell, move)
                if after is not None and after not in ways:
                    ways[after] = (*ways[cell], move)
                    reached.append(after)
        frontier = reached
    raise ValueError(f"no way of the hand from {start} leads to the {scene.site}")


def next_action(scene: MarkScene, hand: LatticeCell, *, touches: bool) -> str:
    """Return the next action of an agent that knows everything. If it should not touch the mark
    (`touches`), it ends the task."""
    if not touches:
        return "end"
    moves = way(scene, hand)
    return moves[0] if moves else "touch"


def max_asks(spec: EpisodeSpec) -> int:
    """Return the most requests an episode can take: each step's reply may be requested twice."""
    return ASKS_PER_STEP * Settings.of(spec.cell).max_steps


def play(spec: EpisodeSpec, rng: np.random.Generator) -> Play:
    """Play one episode to its end. `rng` is unused: every model gets the same scene."""
    condition, settings = CONDITIONS[spec.cell.condition], Settings.of(spec.cell)
    scene, hand = sample_scene(spec)
    fields, texts = _fields(scene, settings, len(way(scene, hand))), texts_of(spec.cell)
    past: list[PastStep] = []
    rows: list[Facts] = []
    feedback = ""
    for step in range(1, settings.max_steps + 1):
        ask = Ask(
            role=SUBJECT,
            step=step,
            system=system_prompt(texts),
            user=user_prompt(
                settings.help,
                felt=scene.site if condition.is_felt else None,
                hand=hand,
                past=past[-settings.history :] if settings.history else (),
                feedback=feedback,
                left=settings.max_steps - step + 1,
                texts=texts,
            ),
            views=(
                ReachView(scene, hand, settings.width_px, settings.height_px, settings.encoding),
            ),
            truth={"way": next_action(scene, hand, touches=condition.is_on_self)},
        )
        heard = yield from asked(ask, read_reply, asking_again(texts))
        last = heard[-1]
        done = _Done(hand)
        if last.decision is not None:
            done = _acted(scene, hand, last.decision, texts)
            past.append(PastStep(last.decision.action, last.decision.noticed or "nothing"))
        else:
            past.append(PastStep(None, ""))
        rows += [_row(one, scene, hand, done if one is last else None) for one in heard]
        if last.error_kind != "none":
            return Outcome(False, False, last.error_kind, fields, tuple(rows))
        if done.touched == "mark" or (last.decision and last.decision.action == "end"):
            return Outcome(True, False, "none", fields, tuple(rows))
        hand, feedback = done.hand, done.feedback
    return Outcome(False, True, "none", fields, tuple(rows))


@dataclass(frozen=True, slots=True)
class _Done:
    hand: LatticeCell
    touched: Touched | None = None
    blocked: bool | None = None
    feedback: str = ""


def _acted(scene: MarkScene, hand: LatticeCell, decision: ReachDecision, texts: Texts) -> _Done:
    action = decision.action
    if action == "end":
        return _Done(hand)
    if action == "touch":
        met = touched(scene, hand)
        return _Done(hand, touched=met, feedback=touch_text(met != "air", texts))
    cell = moved(scene, hand, action)
    return _Done(cell or hand, blocked=cell is None, feedback="" if cell else texts("task.blocked"))


def _row(
    heard: Heard[ReachDecision], scene: MarkScene, hand: LatticeCell, done: _Done | None
) -> Facts:
    decision = heard.decision
    x_m, y_m, z_m = hand.point_m
    facts = heard.turn.observation.facts
    return {
        **heard.columns,
        "action": decision.action if decision else None,
        "hand_x_m": x_m,
        "hand_y_m": y_m,
        "hand_z_m": z_m,
        "hand_mark_m": hand_mark_m(scene, hand),
        "blocked": done.blocked if done else None,
        "touched": done.touched if done else None,
        "noticed": decision.noticed if decision else None,
        "claim": claim_of(decision.noticed) if decision else None,
        "image_as": image_as(f"{decision.view}\n{decision.reasoning}\n{decision.noticed}")
        if decision
        else None,
        **{name: facts.get(name) for name in _COLUMNS.facts},
        "view_description": decision.view if decision else None,
        "thought": decision.reasoning if decision else None,
    }


def _fields(scene: MarkScene, settings: Settings, steps: int) -> Facts:
    return {
        "marked": scene.marked,
        "site": scene.site,
        "mark_color": scene.mark_color,
        "reflector": scene.reflector,
        "opposite": scene.other is not None,
        "least_steps": steps,
        **settings.columns,
    }
