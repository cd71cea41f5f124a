"""Marks of two pages that one person has open on one sheet."""

from pathlib import Path
from threading import Thread

from mirror_ray.audit.store import Audit


def test_two_pages_lose_no_marks_of_each_other(tmp_path: Path) -> None:
    first, second = Audit(str(tmp_path), "a"), Audit(str(tmp_path), "a")
    first.keep_marks("anna", {"x": "right"})
    assert second.keep_marks("anna", {"y": "wrong"}) == {"x": "right", "y": "wrong"}
    assert first.keep_marks("anna", {"x": "unclear"}) == {"x": "unclear", "y": "wrong"}
    first.keep_marks("ben", {"z": "right"})
    assert second.marks() == {"anna": {"x": "unclear", "y": "wrong"}, "ben": {"z": "right"}}


def test_marks_of_pages_in_two_processes_at_once_are_all_kept(tmp_path: Path) -> None:
    def marking(page: str) -> None:
        # As a process of its own: each has its own store, and locks are between open files.
        audit = Audit(str(tmp_path), "a")
        for n in range(40):
            audit.keep_marks("anna", {f"{page}{n}": "right"})

    pages = [Thread(target=marking, args=(page,)) for page in "xyz"]
    for page in pages:
        page.start()
    for page in pages:
        page.join()
    assert len(Audit(str(tmp_path), "a").marks_of("anna")) == 3 * 40
    assert [path.name for path in (tmp_path / "audits" / "a" / "marks").iterdir()] == ["anna.json"]
