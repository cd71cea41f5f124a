"""What is checked of a family: where its episodes are resumed, and with whom they are played."""

from mirror_ray.api.family_contract import _resumed_after, episodes_of
from mirror_ray.tasks import FAMILIES


def test_short_episodes_are_resumed_at_every_ask_and_long_ones_from_end_to_end() -> None:
    assert list(_resumed_after(3)) == [0, 1, 2, 3]
    places = list(_resumed_after(400))
    assert (places[0], places[-1], len(places)) == (0, 400, 17)
    assert places == sorted(set(places))


def test_episodes_of_two_models_have_both() -> None:
    specs, left_out = episodes_of(FAMILIES["dyad"], "scripted/roamer", with_axes=False)
    assert left_out == []
    roles = {spec.cell.condition: [role for role, _ in spec.cell.models] for spec in specs}
    assert roles["mirror"] == ["subject", "partner"]
    assert roles["still"] == ["subject"]
