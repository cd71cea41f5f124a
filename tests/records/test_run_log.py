"""The log of a run: bounded, readable whatever stands in it, and never in the run's way."""

import json

from mirror_ray.records.run_log import RUN_LOG, RunLog, last_lines


def test_lines_are_objects_with_a_time_and_printable_texts(tmp_path):
    log = RunLog(tmp_path)
    log.note("news", text="a\x1b[31m reply\nof two lines", models={"m\x00": [1, float("1.5")]})
    (line,) = last_lines(tmp_path)
    assert line["text"] == "a�[31m reply of two lines"
    assert line["models"] == {"m�": [1, 1.5]}
    assert line["at"].endswith("+00:00")


def test_the_file_is_bounded_and_keeps_the_newest(tmp_path):
    log = RunLog(tmp_path, most_bytes=10_000)
    for number in range(1_000):
        log.note("progress", number=number)
    assert (tmp_path / RUN_LOG).stat().st_size <= 10_000
    numbers = [line["number"] for line in last_lines(tmp_path)]
    assert numbers == list(range(numbers[0], 1_000))
    assert [path.name for path in tmp_path.iterdir()] == [RUN_LOG]


def test_a_line_is_bounded(tmp_path):
    log = RunLog(tmp_path)
    log.note("progress", models={f"model {n}": "x" * 400 for n in range(1_000)})
    log.note("ended")
    assert [line["event"] for line in last_lines(tmp_path)] == ["progress", "ended"]
    assert (tmp_path / RUN_LOG).stat().st_size < 1_000


def test_half_a_line_that_a_crash_left_spoils_no_other(tmp_path):
    log = RunLog(tmp_path)
    log.note("started")
    with (tmp_path / RUN_LOG).open("ab") as file:
        file.write(b'{"event": "prog')
    log.note("ended")
    assert [line["event"] for line in last_lines(tmp_path)] == ["started", "ended"]


def test_a_link_is_neither_followed_nor_read(tmp_path):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_text(json.dumps({"event": "secret"}) + "\n")
    home = tmp_path / "run"
    home.mkdir()
    (home / RUN_LOG).symlink_to(elsewhere)
    RunLog(home).note("started")
    assert last_lines(home) == []
    assert "started" not in elsewhere.read_text()


def test_what_is_no_object_with_an_event_is_left_out(tmp_path):
    lines = [b"[" * 100_000, b'"event"', b'{"event": 7}', b"\xff\xfe", b'{"event": "ended"}', b""]
    (tmp_path / RUN_LOG).write_bytes(b"\n".join(lines))
    assert [line["event"] for line in last_lines(tmp_path)] == ["ended"]


def test_a_full_or_missing_disk_is_no_error(tmp_path):
    RunLog(tmp_path / "missing").note("started")
    assert last_lines(tmp_path / "missing") == []
