"""Asks that are out in batches: what they may cost is reserved, once, until they are answered."""

import pytest

from mirror_ray.records.journal.batch_notes import BATCHED, Batch, BatchedAsk
from mirror_ray.records.journal.charges import PendingCall
from mirror_ray.records.journal.database import Journal


@pytest.fixture
def journal(tmp_path):
    opened = Journal(str(tmp_path / "journal.sqlite"))
    yield opened
    opened.close()


def batch(state, *episodes, key=None, began_at=0.0):
    """A batch of the first asks of these episodes, noted as it is noted on its way to `state`."""
    asks = tuple(BatchedAsk(one, 1, place, "sha") for place, one in enumerate(episodes))
    maker_id = "made" if state == "out" else None
    return Batch(key or state, "m", state, maker_id, began_at, asks)


def noted(journal, *batches):
    for one in batches:
        work = [one._replace(state="intended", maker_id=None)]
        if one.state != "intended":
            work.append(one._replace(asks=()))
        for step in work:
            journal.commit([lambda at, step=step: at.batches.note(step)])


def begun(journal, *asks):
    journal.commit([lambda at: at.charges.begin([PendingCall(*ask) for ask in asks])])


def test_what_the_dead_have_begun_is_reserved_once_where_it_may_be_out_and_else_not_at_all(journal):
    noted(
        journal,
        batch("intended", "unsent"),
        batch("sending", "unsure"),
        batch("out", "twice", began_at=-1.0),
    )
    begun(
        journal,
        ("unsent", 1, "a", "c", 1.0),
        ("unsure", 1, "a", "c", 2.0),
        ("unsure", 2, "a", "c", 4.0),  # another ask, of no batch
        ("twice", 1, "a", "c", 8.0),
        ("twice", 1, "b", "c", 16.0),
    )
    for _ in range(2):  # once more, where that run dies, too
        journal.commit([lambda at: at.batches.hand_on(), lambda at: at.charges.write_off_pending()])
        assert journal.charges.sums() == (
            {},
            {"c": 4.0},
            [("twice", 1, BATCHED, "c", 16.0), ("unsure", 1, BATCHED, "c", 2.0)],
        )
        assert journal.batches.unanswered() == [
            batch("out", "twice", began_at=-1.0),
            batch("sending", "unsure"),
        ]


def test_an_answer_to_what_is_out_settles_it_for_whoever_asked(journal):
    noted(journal, batch("out", "e", "f"))
    begun(journal, ("e", 1, BATCHED, "c", 1.0), ("e", 1, "a", "c", 1.0), ("f", 1, "a", "c", 2.0))
    begun(journal, ("g", 1, "a", "c", 4.0))
    # Of no batch is the last: another may still be asking.
    journal.commit([lambda at: at.batches.answered("e", 1), lambda at: at.batches.answered("g", 1)])
    assert journal.charges.pending() == [("f", 1, "a", "c", 2.0), ("g", 1, "a", "c", 4.0)]
    (left,) = journal.batches.unanswered()
    assert left.asks == (BatchedAsk("f", 1, 1, "sha"),)


def test_an_ask_that_goes_out_again_leaves_the_batch_before(journal):
    noted(journal, batch("out", "e", "f", key="first"), batch("intended", "f", "g", began_at=1.0))
    first, second = journal.batches.unanswered()
    assert (first.batch_key, [one.episode_id for one in first.asks]) == ("first", ["e"])
    assert [(one.episode_id, one.place) for one in second.asks] == [("f", 0), ("g", 1)]
