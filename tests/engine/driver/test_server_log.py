"""What is said and kept of the servers of a run."""

import json
from dataclasses import replace

from mirror_ray.engine.cluster.server_actors import Replica
from mirror_ray.engine.driver import server_log
from mirror_ray.engine.driver.server_log import ServerLog
from mirror_ray.engine.server.messages import ServerFacts, ServerStatus
from mirror_ray.records.served_models import SERVERS_KEY, earlier_fingerprints, gpu_hours_words

FIRST, SECOND = Replica("m", 0), Replica("m", 1)
FACTS = ServerFacts("vllm", "0.12", argv=("python3", "{port}"), fingerprint="aaaa", host="gpu-1")
READY = ServerStatus("ready", "start-1", url="http://gpu-1:1/v1", facts=FACTS)


def log_with(said: list[str], **earlier: str) -> ServerLog:
    log = ServerLog(earlier)
    log.say = said.append
    return log


def test_a_servers_life_is_a_line_of_the_timeline():
    said: list[str] = []
    log = log_with(said)
    assert log.record == {}
    log.started(FIRST, "gpu-1", {"GPU": 2.0})
    log.read(FIRST, ServerStatus("loading", "start-1"))
    log.read(FIRST, READY)
    log.read(FIRST, READY)
    log.read(FIRST, ServerStatus("waiting", "start-1", trouble="it ended (exit code 3)"))
    log.read(FIRST, replace(READY, start="start-2"))
    (line,) = log.record["timeline"]
    assert (line["ended_at"], line["held_s"], line["starts"]) == (None, 0.0, 2)
    log.ended(FIRST, "its episodes have ended")
    (line,) = log.record["timeline"]
    assert (line["model"], line["replica"], line["host"]) == ("m", 0, "gpu-1")
    assert line["holds"] == {"GPU": 2.0}
    assert line["began_at"] <= line["ready_at"] <= line["ended_at"]
    assert line["why_ended"] == "its episodes have ended"
    assert [words for words in said if "started again" in words] == [
        "m: it ended (exit code 3); it is started again"
    ]
    assert len([words for words in said if "ready after" in words]) == 2


def test_the_time_until_it_is_ready_is_that_of_its_latest_start(monkeypatch):
    now_s = [1_000.0]
    monkeypatch.setattr(server_log, "monotonic", lambda: now_s[0])
    said: list[str] = []
    log = log_with(said)
    log.started(FIRST, "gpu-1", {"GPU": 1.0})
    now_s[0] += 100.0
    log.read(FIRST, ServerStatus("waiting", "start-1", trouble="it ended (exit code 3)"))
    now_s[0] += 20.0
    log.read(FIRST, ServerStatus("loading", "start-2", since_s=5.0))
    now_s[0] += 30.0
    log.read(FIRST, replace(READY, start="start-2"))
    assert said[-1] == "m: ready after 35 s"


def test_a_start_that_nobody_saw_coming_is_said():
    said: list[str] = []
    log = log_with(said)
    log.started(FIRST, "gpu-1", {"GPU": 1.0})
    log.read(FIRST, READY)
    assert not [words for words in said if "again" in words]
    log.read(FIRST, replace(READY, state="loading", start="another", facts=None))
    assert [words for words in said if "again" in words] == ["m: its server has been started again"]


def test_the_record_is_what_a_manifest_gives_back():
    log = log_with([])
    log.started(FIRST, "gpu-1", {"GPU": 1.0})
    log.read(FIRST, READY)
    assert json.loads(json.dumps(log.record)) == log.record
    assert log.record["facts"]["m"]["argv"] == ["python3", "{port}"]
    manifest = {"runs": [{SERVERS_KEY: log.record}]}
    assert earlier_fingerprints(manifest) == {"m": "aaaa"}


def test_another_server_under_the_same_name_is_said_once():
    said: list[str] = []
    log = log_with(said, m="bbbb")
    for replica in (FIRST, SECOND):
        log.started(replica, "gpu-1", {"GPU": 1.0})
        log.read(replica, READY)
    (words,) = [words for words in said if "another server" in words]
    assert "fingerprint aaaa, earlier bbbb" in words

    said.clear()
    log = log_with(said, m="aaaa")
    log.started(FIRST, "gpu-1", {"GPU": 1.0})
    log.read(FIRST, READY)
    assert not [words for words in said if "another server" in words]


def test_a_manifest_may_say_anything():
    for runs in (None, 7, [None], [{SERVERS_KEY: 3}], [{SERVERS_KEY: {"facts": [1]}}]):
        assert earlier_fingerprints({"runs": runs}) == {}
    odd = {"facts": {"m": {"fingerprint": ["x"]}, "n": None, "o": {"fingerprint": "a\x1b[31m"}}}
    assert earlier_fingerprints({"runs": [{SERVERS_KEY: odd}]}) == {"o": "a�[31m"}


def test_status_says_the_gpu_hours_of_the_models_that_held_most():
    said = gpu_hours_words({"a": 3_600.0, "b\x1b": 9_000.0, "c": 1.0}, most=2)
    assert said.startswith("GPU hours held so far: 3.50 (b")
    assert "a 1.00, … and 1 more models)" in said
    assert said.isprintable()
