"""The reference agents by name; a scripted catalogue entry's target is one of these names."""

from collections.abc import Mapping
from types import MappingProxyType

from mirror_ray.providers.scripted.flipset_agents import (
    egocentric,
    mirror_imager,
    position_biased,
    rotator,
)
from mirror_ray.providers.scripted.metacog_agents import (
    calibrated,
    domain_blind,
    knows_but_acts,
    overconfident,
    sycophantic,
    underconfident,
    wavering,
)
from mirror_ray.providers.scripted.mirrorqa_agents import coin, first_option, viewer_frame
from mirror_ray.providers.scripted.oracle import oracle
from mirror_ray.providers.scripted.prompt import Agent
from mirror_ray.providers.scripted.selfid_agents import (
    blind,
    confabulator,
    echo,
    gullible,
    mute,
    observer,
)
from mirror_ray.providers.scripted.textmirror_agents import (
    careless,
    jolly,
    middling,
    ornate,
    terse,
)

AGENTS: Mapping[str, Agent] = MappingProxyType(
    {
        "observer": observer,
        "gullible": gullible,
        "confabulator": confabulator,
        "blind": blind,
        "mute": mute,
        "echo": echo,
        "oracle": oracle,
        "ornate": ornate,
        "terse": terse,
        "jolly": jolly,
        "middling": middling,
        "careless": careless,
        "viewer-frame": viewer_frame,
        "first-option": first_option,
        "coin": coin,
        "rotator": rotator,
        "egocentric": egocentric,
        "mirror-imager": mirror_imager,
        "position-biased": position_biased,
        "calibrated": calibrated,
        "overconfident": overconfident,
        "underconfident": underconfident,
        "domain-blind": domain_blind,
        "sycophantic": sycophantic,
        "knows-but-acts": knows_but_acts,
        "wavering": wavering,
    }
)
