"""What has begun counts until it is recorded, by whoever began it."""

from pathlib import Path

import pytest

from mirror_ray.records.journal.charges import PendingCall
from mirror_ray.records.journal.database import Journal
from mirror_ray.records.so_far import spent_so_far


@pytest.fixture
def journal(tmp_path):
    opened = Journal(str(tmp_path / "journal.sqlite"))
    yield opened
    opened.close()


def test_an_ask_has_its_latest_bound_until_its_own_asker_has_recorded_it(journal):
    charges = journal.charges
    journal.commit(
        [
            lambda _: charges.begin(
                [PendingCall("e", 1, "a", "c", 0.5), PendingCall("e", 1, "b", "c", 0.5)]
            )
        ]
    )
    journal.commit([lambda _: charges.begin([PendingCall("e", 1, "a", "c", 0.75)])])
    assert charges.pending() == [("e", 1, "a", "c", 0.75), ("e", 1, "b", "c", 0.5)]
    journal.commit([lambda _: charges.settle("e", 1, "a"), lambda _: charges.settle("f", 1, "b")])
    assert charges.pending() == [("e", 1, "b", "c", 0.5)]
    assert charges.sums() == ({}, {}, [("e", 1, "b", "c", 0.5)])


def test_what_is_given_up_is_presumed_and_never_told_as_spent(journal, tmp_path: Path):
    charges = journal.charges
    journal.commit(
        [
            lambda _: charges.spend({"e": 1.0}, {"e": 0.25}),
            lambda _: charges.begin(
                [PendingCall("e", 2, "a", "c", 0.5), PendingCall("e", 3, "a", "c", 0.125)]
            ),
            lambda _: charges.begin(
                [PendingCall("f", 1, "a", "c", 2.0), PendingCall("g", 1, "a", "d", 4.0)]
            ),
            # From a journal before this one, or a model of unknown price.
            lambda _: charges.spend({"h": 8.0}),
        ]
    )
    journal.commit([lambda _: charges.write_off_pending()])
    journal.commit([lambda _: charges.write_off_pending()])
    assert charges.sums() == ({"c": 1.0, None: 8.0}, {"c": 2.875, "d": 4.0}, [])
    assert spent_so_far(str(tmp_path)) == {"e": 1.0, "h": 8.0}
