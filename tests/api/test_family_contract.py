"""What is checked of a family: where its episodes are resumed, and with whom they are played."""

from collections.abc import Sequence

import pytest

from mirror_ray.api import family_contract
from mirror_ray.api.family_contract import _resumed_after, contract_of, episodes_of
from mirror_ray.contract.registry import FAMILIES


def test_short_episodes_are_resumed_at_every_ask_and_long_ones_from_end_to_end() -> None:
    assert list(_resumed_after(3)) == [0, 1, 2, 3]
    places = list(_resumed_after(400))
    assert (places[0], places[-1], len(places)) == (0, 400, 17)
    assert places == sorted(set(places))


@pytest.mark.parametrize(("is_thorough", "expected"), [(False, {17, 5}), (True, {17})])
def test_values_of_axes_are_resumed_less_often_unless_it_is_thorough(
    monkeypatch: pytest.MonkeyPatch, is_thorough: bool, expected: set[int]
) -> None:
    family = FAMILIES["selfid"]
    every, _ = episodes_of(family, "scripted/mute")
    plain = next(spec for spec in every if not spec.cell.axes)
    varied = next(spec for spec in every if spec.cell.axes == (("max_steps", 1),))
    seen = []
    resumed_after = family_contract._resumed_after

    def counted(n_asks: int, most: int) -> Sequence[int]:
        seen.append(len(resumed_after(max(n_asks, 100), most)))
        return ()

    monkeypatch.setattr(family_contract, "_resumed_after", counted)
    monkeypatch.setattr(family_contract, "episodes_of", lambda *_: ([plain, varied], []))
    checks = [*contract_of(family, is_thorough=is_thorough)]
    assert [check.holds for check in checks] == [True, True]
    assert ("off an axis" in checks[-1].what) is not is_thorough
    assert set(seen) == expected


def test_episodes_of_two_models_have_both() -> None:
    specs, left_out = episodes_of(FAMILIES["dyad"], "scripted/roamer", with_axes=False)
    assert left_out == []
    roles = {spec.cell.condition: [role for role, _ in spec.cell.models] for spec in specs}
    assert roles["mirror"] == ["subject", "partner"]
    assert roles["still"] == ["subject"]
