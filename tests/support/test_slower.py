"""What `make test-fast` leaves out is there."""

from support import slower
from support.patterns_in_use import ROOT


def test_every_name_is_a_folder_or_a_file() -> None:
    tests = ROOT / "tests"
    assert {name for name in slower.FOLDERS if not (tests / name).is_dir()} == set()
    assert {name for name in slower.LONGEST if not (tests / name).is_file()} == set()
    assert {name for name in slower.FILES if not (tests / name).is_file()} == set()
