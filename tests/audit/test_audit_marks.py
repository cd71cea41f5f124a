"""Marks of two pages that one person has open on one sheet."""

from pathlib import Path

from mirror_ray.audit.store import Audit


def test_two_pages_lose_no_marks_of_each_other(tmp_path: Path) -> None:
    first, second = Audit(str(tmp_path), "a"), Audit(str(tmp_path), "a")
    first.keep_marks("anna", {"x": "right"})
    assert second.keep_marks("anna", {"y": "wrong"}) == {"x": "right", "y": "wrong"}
    assert first.keep_marks("anna", {"x": "unclear"}) == {"x": "unclear", "y": "wrong"}
    first.keep_marks("ben", {"z": "right"})
    assert second.marks() == {"anna": {"x": "unclear", "y": "wrong"}, "ben": {"z": "right"}}
