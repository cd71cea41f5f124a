"""The room of selfid (arXiv 2605.08816) as a Gymnasium environment.

An episode is the family's own generator, as in a sweep: the same seed has the same scene, prompt
and end. An action replaces a model's reply."""

import json
import string
from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from mirror_ray.core.errors import SweepError
from mirror_ray.core.identity import Cell, EpisodeSpec, Scalar
from mirror_ray.core.types import Ask, Observation, Outcome, Reply, Turn
from mirror_ray.families.selfid.conditions import CONDITIONS
from mirror_ray.families.selfid.family import FAMILY
from mirror_ray.families.selfid.settings import settings_of
from mirror_ray.world.opengl.encode import encode
from mirror_ray.world.renderer import Renderer
from sim_assets.colors import COLOR_NAMES

PLAYED = ("E1", "E2", "E3", "E4", "E5")
GYM_MOVES = ("w", "s", "a", "d")
"""Forward, backward, left, right: actions 0 to 3. Further actions end the episode, with a
colour."""

_AXES = ("max_steps", "image", "fov_deg", "history", "others")
"""The axes of the family that an environment accepts."""

_N_ACTIONS = len(GYM_MOVES) + len(COLOR_NAMES)
_MOST_CHARS = 20_000
_CHARACTERS = string.printable + "–—‘’“”…°·×−"
_LARGEST_SEED = 2**31 - 1

Seen = dict[str, Any]


class SelfIDEnv(gymnasium.Env[Seen, np.int64]):
    """One agent in a room, which has to find out its own colour and go to the cube of that colour.

    Observations: ``image``, (height, width, 3) uint8, what the agent sees; ``text``, the prompt of
    this step. Actions: 0 to 3 move (`GYM_MOVES`); 4 + i ends the episode with the i-th colour of
    `sim_assets.colors.COLOR_NAMES`. Reward: 1 at an end with the body's own colour, else 0.
    ``info`` has what only the environment knows: the evidence in pixels (``ego_reflection_px`` …),
    ``truth`` (own colour, pose, cubes), ``system`` (the system prompt), ``step`` from 1, and at the
    end ``outcome``, the fields of the sweep's episode row.

    Create and use it on one thread.

    Args:
        condition: one of `PLAYED`.
        render_mode: ``rgb_array``: `render` returns the image; None.
        axes: some of `_AXES`, as in a sweep file.

    Raises:
        SweepError: an unknown axis or value.
        RenderError: no usable OpenGL.
    """

    metadata = {"render_modes": ["rgb_array"], "render_fps": 4}  # noqa: RUF012 - Gymnasium's name

    def __init__(
        self, condition: str = "E1", render_mode: str | None = None, **axes: Scalar
    ) -> None:
        _check(condition, axes)
        self.render_mode = render_mode
        off_default = {k: v for k, v in axes.items() if v != FAMILY.axes[k].default}
        subject = (("subject", "gym/agent"),)
        chosen = tuple(sorted(off_default.items()))
        self._cell = Cell("selfid", condition, subject, None, "paper", chosen)
        settings = settings_of(EpisodeSpec(self._cell, 0, 0))
        shape = (settings.height_px, settings.width_px, 3)
        self.observation_space = spaces.Dict(
            {
                "image": spaces.Box(0, 255, shape, np.uint8),
                "text": spaces.Text(_MOST_CHARS, charset=_CHARACTERS),
            }
        )
        self.action_space = spaces.Discrete(_N_ACTIONS)
        self._renderer = Renderer()
        self._playing: Any = None
        self._seen: Seen = {}
        self._turn: tuple[Ask, Observation] | None = None

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[Seen, dict[str, Any]]:
        """Begin a new episode.

        Args:
            seed: of the scene, as `seeds` of a sweep counts them; None: a random scene.
            options: ``run``: the scene's run, from 0.
        """
        super().reset(seed=seed)
        scene = int(self.np_random.integers(_LARGEST_SEED)) if seed is None else seed
        spec = EpisodeSpec(self._cell, scene, int((options or {}).get("run", 0)))
        self._playing = FAMILY.play(spec, spec.rng())
        return self._look(next(self._playing))

    def step(self, action: np.int64) -> tuple[Seen, float, bool, bool, dict[str, Any]]:
        """Act, and return the next observation; after the end, return the last one.

        Raises:
            gymnasium.error.ResetNeeded: no episode is in progress.
            gymnasium.error.InvalidAction: the action does not exist.
        """
        if self._turn is None:
            raise gymnasium.error.ResetNeeded("no episode is under way: call reset first")
        if not self.action_space.contains(action):
            raise gymnasium.error.InvalidAction(
                f"action {action!r}: 0 to {_N_ACTIONS - 1} are allowed"
            )
        ask, observation = self._turn
        color = None if action < len(GYM_MOVES) else COLOR_NAMES[int(action) - len(GYM_MOVES)]
        decided = GYM_MOVES[int(action)] if color is None else "done"
        reply = _reply(self._cell.condition, decided, color)
        try:
            following = self._playing.send(Turn(observation, reply))
        except StopIteration as end:
            self._turn = None
            outcome: Outcome = end.value
            is_right = outcome.terminated and color == outcome.fields["ego_color"]
            info = {"outcome": dict(outcome.fields), "step": ask.step, **observation.facts}
            # Callers may keep observations, so each is a copy.
            last = {**self._seen, "image": self._seen["image"].copy()}
            return last, float(is_right), outcome.terminated, outcome.truncated, info
        seen, info = self._look(following)
        return seen, 0.0, False, False, info

    def render(self) -> NDArray[np.uint8] | None:
        """Return the last image, (height, width, 3) uint8; None without `render_mode`."""
        return self._seen.get("image") if self.render_mode == "rgb_array" else None

    def close(self) -> None:
        """Release the OpenGL context."""
        self._renderer.close()

    def _look(self, ask: Ask) -> tuple[Seen, dict[str, Any]]:
        view = ask.views[-1]
        frame = self._renderer.draw(view)
        image = encode(frame.rgb, view.encoding)
        self._turn = ask, Observation((image,), image.rgb_sha, frame.facts)
        text = "".join(char if char in _CHARACTERS else "?" for char in ask.user)
        self._seen = {"image": frame.rgb.copy(), "text": text[:_MOST_CHARS]}
        about = {"truth": ask.truth, "system": ask.system, "step": ask.step}
        return self._seen, {**frame.facts, **about, "frame_sha": image.rgb_sha}


def _reply(condition: str, action: str, color: str | None) -> Reply:
    said = {
        "view-description": "",
        "reasoning": "",
        "action": action,
        "summary": f"took action {action}",
        "identification": color or "unknown",
    }
    if CONDITIONS[condition].cubes:
        said["selected_cube"] = color or "none"
    return Reply(json.dumps(said), finish_reason="stop")


def _check(condition: str, axes: Mapping[str, Scalar]) -> None:
    if condition not in PLAYED:
        raise SweepError("condition", repr(condition), ", ".join(PLAYED), "e.g. condition='E1'")
    for name, value in axes.items():
        if name not in _AXES:
            raise SweepError(name, repr(value), f"some of {', '.join(_AXES)}", "leave it out")
        FAMILY.axes[name].checked(value, name)
