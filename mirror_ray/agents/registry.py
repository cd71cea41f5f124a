"""The reference agents by name; a scripted catalogue entry's target is one of these names."""

from collections.abc import Mapping
from types import MappingProxyType

from mirror_ray.agents.flipset.agents import (
    egocentric,
    mirror_imager,
    position_biased,
    rotator,
)
from mirror_ray.agents.marktest.agents import (
    mark_blind,
    mark_observer,
    mirror_toucher,
    other_toucher,
    parrot,
)
from mirror_ray.agents.metacog.agents import (
    calibrated,
    domain_blind,
    graded,
    knows_but_acts,
    overconfident,
    sycophantic,
    underconfident,
    wavering,
)
from mirror_ray.agents.metacog.judge import erring_judge, judge
from mirror_ray.agents.mirrorqa.agents import coin, first_option, viewer_frame
from mirror_ray.agents.oracle import oracle
from mirror_ray.agents.prompt import Agent
from mirror_ray.agents.selfid.agents import (
    blind,
    confabulator,
    echo,
    gullible,
    mute,
    observer,
)
from mirror_ray.agents.sureness import aware, indifferent, unaware
from mirror_ray.agents.textmirror.agents import (
    careless,
    jolly,
    middling,
    ornate,
    terse,
)

AGENTS: Mapping[str, Agent] = MappingProxyType(
    {
        "observer": indifferent(observer),
        "gullible": indifferent(gullible),
        "confabulator": indifferent(confabulator),
        "blind": indifferent(blind),
        "mute": indifferent(mute),
        "echo": indifferent(echo),
        "oracle": indifferent(oracle),
        "ornate": ornate,
        "terse": terse,
        "jolly": jolly,
        "middling": middling,
        "careless": careless,
        "viewer-frame": indifferent(viewer_frame),
        "first-option": indifferent(first_option),
        "coin": indifferent(coin),
        "rotator": indifferent(rotator),
        "egocentric": indifferent(egocentric),
        "mirror-imager": indifferent(mirror_imager),
        "position-biased": indifferent(position_biased),
        "calibrated": calibrated,
        "overconfident": overconfident,
        "underconfident": underconfident,
        "domain-blind": domain_blind,
        "sycophantic": sycophantic,
        "knows-but-acts": knows_but_acts,
        "wavering": wavering,
        "aware": aware,
        "unaware": unaware,
        "judge": judge,
        "erring-judge": erring_judge,
        "graded": graded,
        "mark-observer": mark_observer,
        "mirror-toucher": mirror_toucher,
        "other-toucher": other_toucher,
        "mark-blind": mark_blind,
        "parrot": parrot,
    }
)
