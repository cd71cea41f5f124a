"""What is said of versions that differ: when a run goes on, and by whoever reads it."""

import pytest

from mirror_ray.records.environment import digest_of, versions
from mirror_ray.records.schemas import SCHEMA_VERSION
from mirror_ray.records.versions_differ import notes_for_readers, notes_on_resume

HERE = versions()


def start(**changed):
    about = {
        "started_at": "2026-05-01T09:00:00+00:00",
        "versions": dict(HERE),
        "models": {"m": {"target": "a", "usd_per_mtok_in": 1.0, "timeout_s": 5}},
        "prompts": {"selfid E1 paper": {"episode": "e", "sha": "1"}},
    }
    return about | changed


def manifest(*runs, schema=SCHEMA_VERSION):
    return {"schema_version": schema, "runs": list(runs)}


def test_equal_starts_say_nothing():
    other = start(versions={**HERE, "ray": "0"}, models={"n": {}}, hosts={"x": {}})
    assert notes_on_resume(manifest(start()), other) == []
    assert notes_for_readers(manifest(start(), other)) == []
    assert notes_on_resume(manifest(), start()) == notes_for_readers(manifest()) == []


def test_packages_prompts_and_models_that_differ_are_named():
    other = start(
        versions={**HERE, "mujoco": "9.9"},
        models={"m": {"target": "b", "usd_per_mtok_in": 1.0, "timeout_s": 9}},
        prompts={"selfid E1 paper": {"episode": "e", "sha": "2"}},
    )
    on_resume = " ".join(notes_on_resume(manifest(start()), other))
    for said in (
        "version of mujoco: 9.9 after",
        "prompt in selfid E1 paper",
        "m in the catalogue: target.",
    ):
        assert said in on_resume
    assert len(notes_for_readers(manifest(start(), other))) == 3


def test_two_programs_between_releases_are_told_apart():
    """Of one number; before digests were recorded there was the number alone."""
    for earlier in ("0.1.0", "0.1.0+src.0123456789ab"):
        before = start(versions={**HERE, "mirror-ray": earlier})
        (note,) = notes_on_resume(manifest(before), start())
        assert f"version of mirror-ray: {HERE['mirror-ray']} after {earlier}." in note
        (note,) = notes_for_readers(manifest(before))
        assert note == f"Recorded by mirror-ray {earlier}, read by {HERE['mirror-ray']}."
        assert len(notes_for_readers(manifest(before, start()))) == 1


def test_the_digest_is_that_of_the_programs_own_files(tmp_path):
    checkout, wheel = tmp_path / "checkout", tmp_path / "wheel"
    for folder, sql in ((checkout, tmp_path / "analysis"), (wheel, wheel / "analysis")):
        folder.mkdir()
        sql.mkdir()
        (folder / "play.py").write_text("x = 1\n")
        (sql / "view.sql").write_text("select 1\n")
    (checkout / "analysis").symlink_to(tmp_path / "analysis")
    of_wheel = digest_of([wheel])
    assert digest_of([checkout]) == of_wheel
    # Neither caches nor sweeps are part of it; a query and a file's name are.
    (checkout / "__pycache__").mkdir()
    (checkout / "__pycache__" / "play.py").write_text("")
    (checkout / "mine.yaml").write_text("name: mine\n")
    assert digest_of([checkout]) == of_wheel
    (tmp_path / "analysis" / "view.sql").write_text("select 2\n")
    assert digest_of([checkout]) != of_wheel
    (wheel / "play.py").rename(wheel / "played.py")
    assert digest_of([wheel]) != of_wheel


def test_another_episode_says_nothing_of_prompts():
    other = start(prompts={"selfid E1 paper": {"episode": "f", "sha": "2"}})
    assert notes_on_resume(manifest(start()), other) == []


def test_a_reader_names_other_releases():
    (note,) = notes_for_readers(manifest(start(versions={**HERE, "mirror-ray": "0.0.1"})))
    assert "Recorded by mirror-ray 0.0.1" in note
    (note,) = notes_for_readers(manifest(start(), schema=2))
    assert "schema version 2" in note


@pytest.mark.parametrize(
    "runs",
    [
        7,
        [7, None, "x"],
        [{"versions": []}, {"versions": {"mirror-ray": "\x1b[31m" * 10_000}}],
        [
            {"versions": {f"p{n}": n for n in range(500)}},
            {"versions": dict.fromkeys(map("p{}".format, range(500)))},
        ],
        [
            {"models": {"m": [1]}, "prompts": {"a": 7}},
            {"models": {"m": {"target": {}}}, "prompts": {"a": []}},
        ],
    ],
)
def test_whatever_a_manifest_says_notes_are_few_and_printable(runs):
    notes = [
        *notes_for_readers({"schema_version": "x" * 9_999, "runs": runs}),
        *notes_on_resume({"runs": runs}, start()),
    ]
    assert len(notes) <= 30
    assert all(note.isprintable() and len(note) < 1_000 for note in notes)
