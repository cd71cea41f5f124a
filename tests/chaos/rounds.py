"""A round: the same command, killed again and again, until it ends by itself.

Knows when a command is to be started again; what it leaves behind is judged in `findings`.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from time import monotonic
from typing import TypeAlias

import numpy as np
from command import WHOLE, Command, Life
from strikes import Moment, Strike, some_moment, some_victim, strike, wait_for
from witness import Witness

DONE, SOME_FAILED, BAD_INPUT, BUDGET_REACHED, LOST = 0, 1, 2, 3, 4
_BY_ITSELF = (DONE, SOME_FAILED, BUDGET_REACHED)
SECOND_DRIVER = "second driver"
ENDS_WITHIN_S = 240.0

Blow: TypeAlias = tuple[str, Moment]
"""A victim, or a second driver that is to be refused, and when."""


@dataclass(slots=True)
class Story:
    """What happened to one run directory."""

    strikes: list[Strike] = field(default_factory=list)
    exit_codes: list[int] = field(default_factory=list)
    refused: int = 0
    wall_s: float = 0.0


def random_blows(
    rng: np.random.Generator, kills: int, latency_s: float, victims: Sequence[str] = ()
) -> Iterator[Blow]:
    """A second driver early on, and so many kills, of these victims alone where any are named."""
    yield SECOND_DRIVER, Moment(1, holds=True)
    for _ in range(kills):
        yield str(rng.choice(victims)) if victims else some_victim(rng), some_moment(rng, latency_s)


def play_round(
    command: Command,
    witness: Witness,
    blows: Sequence[Blow],
    rng: np.random.Generator,
    story: Story,
    *overrides: str,
) -> int:
    """Starts the command whenever it was killed; its exit code once it ends by itself.

    Blows that come too late for that are left out.

    Args:
        story: gets what happens.
    """
    began_s = monotonic()
    life = command.start(*overrides)
    felled = False
    for kind, moment in blows:
        if felled:
            life, felled = command.start(*overrides), False
        if not wait_for(moment, life, witness):
            witness.server.release()
            break
        if kind == SECOND_DRIVER:
            story.refused += _is_refused(command, life, witness, *overrides)
        elif (struck := strike(kind, life, witness, command, rng)) is not None:
            story.strikes.append(struck)
            witness.server.release()
            # What is over is over: a node may die while the last words are said.
            if felled := kind in WHOLE and life.driver.returncode not in _BY_ITSELF:
                story.exit_codes.append(life.driver.returncode)
    if felled:
        life = command.start(*overrides)
    code = life.driver.wait(ENDS_WITHIN_S)
    story.exit_codes.append(code)
    story.wall_s += monotonic() - began_s
    return code


def _is_refused(command: Command, life: Life, witness: Witness, *overrides: str) -> bool:
    """A second driver, while no call is answered, so that the first one cannot end meanwhile."""
    witness.server.hold()
    second = command.start(*overrides)
    code = second.driver.wait(ENDS_WITHIN_S)
    assert not life.ended, "the first driver ended while nobody answered it"
    witness.server.release()
    assert code == BAD_INPUT, f"a second driver ended with {code}: {command.told()[-2000:]}"
    assert "is in use" in command.told()
    return True
