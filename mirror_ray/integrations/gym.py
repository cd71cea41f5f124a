"""selfid as Gymnasium environments: the rooms of a sweep, for agents that learn.

    import gymnasium
    import mirror_ray.integrations.gym

    env = gymnasium.make("mirror_ray/SelfID-E1-v0")

There is one environment per condition: ``mirror_ray/SelfID-E1-v0`` to ``mirror_ray/SelfID-E5-v0``.
The extra ``gym`` installs Gymnasium."""

import gymnasium

from mirror_ray.families.selfid.gym_environment import PLAYED, SelfIDEnv

__all__ = ["SelfIDEnv", "register"]


def register() -> None:
    """Make the environments known to `gymnasium.make`; a second time changes nothing."""
    for condition in PLAYED:
        name = f"mirror_ray/SelfID-{condition}-v0"
        if name not in gymnasium.registry:
            gymnasium.register(
                name,
                entry_point="mirror_ray.families.selfid.gym_environment:SelfIDEnv",
                kwargs={"condition": condition},
            )


register()
