"""The strategy of a careful participant: look at the walls, identify itself, walk to the cube of
its colour."""

from collections.abc import Callable
from math import atan2, degrees, dist
from typing import TypeAlias

import numpy as np

from mirror_ray.agents.prompt import Prompt, UnfamiliarPromptError
from mirror_ray.agents.walking.looking import take_in
from mirror_ray.agents.walking.notes import Notes, read_notes
from mirror_ray.agents.walking.own_image import EMPTY, WALL_DIRECTIONS, viewpoint_of
from mirror_ray.agents.walking.perspective import HALF_ROOM_M, FloorXY
from mirror_ray.agents.walking.route import (
    ROUTE_STEP_M,
    RouteObstacle,
    ahead_of,
    is_open,
    is_way_open,
    step_towards,
    turn_towards,
)
from mirror_ray.agents.walking.text import Situation, WalkerDecision, read_situation, write_reply
from sim_assets.colors import COLOR_NAMES, UNKNOWN

Belief: TypeAlias = Callable[[Situation, Notes], str]
"""An agent's belief about its own colour: a colour, or `UNKNOWN`."""

_SEARCH_STEPS = 60
"""The search for itself, or for a cube, ends after this many steps."""
_NEAR_CUBE_M = 0.85
_CUBE_RADIUS_M = 0.2
_BODY_KEEP_M = 0.42
"""Others must stay 0.7 m away between centres; their places are known to a few cm."""
_BUMP_RADIUS_M = 0.05
_FACING_DEG = 45.0
_CLOSE_M = 1.4
_LOOK_ROUND_TURNS = 8
"""With this field of view, eight turns of 30° show the whole circle."""
_OPPOSITE = {"w": "s", "s": "w", "a": "d", "d": "a"}
_LOOK_OUTS: tuple[FloorXY, ...] = ((0.0, 0.0), (1.5, 1.5), (-1.5, 1.5), (-1.5, -1.5), (1.5, -1.5))
_OFF_M = (1.5, 2.2, 3.0, 1.0)
"""Distances from a wall from which the agent looks for its mirror."""


def explore(prompt: Prompt, believe: Belief) -> str:
    """Take one step: read the picture, decide, and write the notes.

    Raises UnfamiliarPromptError if the prompt has no picture or is not selfid's."""
    situation = read_situation(prompt.system, prompt.user)
    if not prompt.images:
        raise UnfamiliarPromptError("no picture")
    notes = read_notes(prompt.user)
    look = take_in(prompt.images[-1], situation, notes)
    walkers = [(*body.place, _BODY_KEEP_M) for body in look.bodies]
    explorer = _Explorer(situation, notes, believe(situation, notes), walkers, prompt.rng)
    decision = explorer.decide()
    pose = situation.pose
    notes.steps += 1
    notes.pose = (pose.x_m, pose.y_m, pose.yaw_deg)
    notes.action = decision.action
    notes.said = decision.identification
    return write_reply(situation, look.view, decision, notes.write(_summary(decision, notes)))


class _Explorer:
    """The decision of one step. Only the notes are kept for the next."""

    def __init__(
        self,
        situation: Situation,
        notes: Notes,
        belief: str,
        walkers: list[RouteObstacle],
        rng: np.random.Generator,
    ) -> None:
        self._situation, self._notes, self._belief, self._rng = situation, notes, belief, rng
        self._pose = situation.pose
        self._place = (self._pose.x_m, self._pose.y_m)
        self._static: list[RouteObstacle] = [
            *((cube.x_m, cube.y_m, _CUBE_RADIUS_M) for cube in notes.cubes if cube.seen > 1),
            *((x_m, y_m, _BUMP_RADIUS_M) for x_m, y_m in notes.bumps),
        ]
        self._obstacles = self._static + walkers

    def decide(self) -> WalkerDecision:
        """Look for the agent's reflection, then for the cube; guess if the search fails."""
        if not self._situation.remembers:
            return self._act_on_sight()
        if self._belief == UNKNOWN:
            suspects = self._suspect_walls()
            if suspects and self._notes.steps < _SEARCH_STEPS and self._situation.remaining > 1:
                return self._say(self._watch(suspects), "I do not know my own colour yet.")
        elif self._belief != self._notes.said and self._situation.remaining > 1:
            return self._say(self._look_round(), f"I seem to be {self._belief}; I look once more.")
        if not self._situation.picks_cube:
            return self._conclude()
        return self._pick_cube()

    def _act_on_sight(self) -> WalkerDecision:
        if self._belief == UNKNOWN and self._situation.remaining > 1:
            return self._say(self._stray(), "I remember nothing and look around.")
        return self._say("done", "I go by what I see now.", self._choice())

    def _choice(self) -> str:
        return self._belief if self._belief != UNKNOWN else self._guess()

    def _conclude(self) -> WalkerDecision:
        if self._belief == UNKNOWN and self._situation.remaining > 1:
            return self._say(self._look_round(), "No wall has shown me to myself; I look further.")
        return self._say("done", f"I have explored enough and am {self._belief}.")

    def _pick_cube(self) -> WalkerDecision:
        color = self._choice()
        cube = self._notes.cube(color)
        if self._situation.remaining <= 1:
            return self._say("done", f"Time is up; {color} is my best choice.", color)
        if cube is None and self._notes.steps >= _SEARCH_STEPS:
            return self._say("done", f"I cannot find the {color} cube, but it is my choice.", color)
        if cube is None:
            return self._say(self._look_round(), f"I am looking for the {color} cube.")
        goal = (cube.x_m, cube.y_m)
        if dist(self._place, goal) <= _NEAR_CUBE_M:
            why = "it is my colour" if self._belief == color else "I found no mirror and must guess"
            return self._say("done", f"I stand at the {color} cube; {why}.", color)
        return self._say(self._walk(goal, _NEAR_CUBE_M), f"I walk to the {color} cube.")

    def _guess(self) -> str:
        if not self._notes.choice:
            known = sorted({cube.color for cube in self._notes.cubes}) or list(COLOR_NAMES)
            self._notes.choice = str(self._rng.choice(known))
        return self._notes.choice

    def _suspect_walls(self) -> list[str]:
        walls = self._notes.walls
        hopeful = [wall for wall in walls if EMPTY not in walls[wall]]
        return hopeful or [wall for wall in WALL_DIRECTIONS if wall not in walls]

    def _watch(self, suspects: list[str]) -> str:
        # Staying with one wall keeps the agent from alternating forever between two equally near
        # ones.
        if self._notes.target not in suspects:
            self._notes.target = min(suspects, key=self._effort)
        wall = self._notes.target
        view = viewpoint_of(wall, self._place)
        turn, missing_deg = turn_towards(self._pose, _heading(WALL_DIRECTIONS[wall]))
        if not view.in_lane:
            spots = [spot for spot in _spots(wall) if is_open(spot, self._static)]
            return self._walk(min(spots, key=self._distance, default=(0.0, 0.0)), 0.35)
        if missing_deg > _FACING_DEG:
            return turn
        # It is in the picture already, but hidden or uncertain, so a change of viewpoint helps.
        if view.off_m > _CLOSE_M and self._can_step(ROUTE_STEP_M):
            return "w"
        return "s" if self._can_step(-ROUTE_STEP_M) else turn

    def _effort(self, wall: str) -> float:
        _, missing_deg = turn_towards(self._pose, _heading(WALL_DIRECTIONS[wall]))
        steps = missing_deg / 30
        if not viewpoint_of(wall, self._place).in_lane:
            steps += 3 + 2 * min(self._distance(spot) for spot in _spots(wall))
        return steps

    def _look_round(self) -> str:
        notes = self._notes
        if notes.turns < _LOOK_ROUND_TURNS:
            notes.turns += 1
            return "a"
        look_out = _LOOK_OUTS[notes.station % len(_LOOK_OUTS)]
        if self._distance(look_out) > 0.6:
            return self._walk(look_out, 0.6)
        notes.station, notes.turns = notes.station + 1, 1
        return "a"

    def _walk(self, goal: FloorXY, within_m: float) -> str:
        """Return the next action towards a place, around obstacles; a random one if there is no
        way."""
        for obstacles in (self._obstacles, self._static):
            action = step_towards(self._pose, goal, within_m, obstacles)
            if action is not None:
                return self._stray() if self._takes_back(action) else action
        self._notes.forget_bumps()
        self._notes.station += 1
        return self._stray()

    def _takes_back(self, action: str) -> bool:
        pose = self._pose
        moved = self._notes.pose != (pose.x_m, pose.y_m, pose.yaw_deg)
        return moved and _OPPOSITE.get(self._notes.action) == action

    def _stray(self) -> str:
        options = ["a", "d"]
        for action, ahead_m in (("w", ROUTE_STEP_M), ("s", -ROUTE_STEP_M)):
            if self._can_step(ahead_m):
                options += [action, action]
        return str(self._rng.choice(options))

    def _can_step(self, ahead_m: float) -> bool:
        return is_way_open(self._place, ahead_of(self._pose, ahead_m), self._obstacles)

    def _distance(self, place: FloorXY) -> float:
        return dist(self._place, place)

    def _say(self, action: str, reasoning: str, cube: str | None = None) -> WalkerDecision:
        return WalkerDecision(action, reasoning, self._belief, cube)


def _spots(wall: str) -> list[FloorXY]:
    normal = WALL_DIRECTIONS[wall]
    return [((HALF_ROOM_M - off) * normal[0], (HALF_ROOM_M - off) * normal[1]) for off in _OFF_M]


def _heading(direction: FloorXY) -> float:
    return degrees(atan2(direction[1], direction[0]))


def _summary(decision: WalkerDecision, notes: Notes) -> str:
    own = decision.identification
    known = ", ".join(sorted({cube.color for cube in notes.cubes})) or "none"
    return f"My colour: {own}. Cubes seen: {known}."
