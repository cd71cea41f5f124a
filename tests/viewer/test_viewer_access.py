"""Who may ask: others only with the token, which no later address, page, log or repr holds."""

import http.client
import re
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import pytest

from mirror_ray.core.errors import RenderError, SweepError
from mirror_ray.core.types import Reply
from mirror_ray.pages import access as access_module
from mirror_ray.pages.access import Access
from mirror_ray.records.manifest import read_manifest
from mirror_ray.viewer.frame_renderer import ClosableRenderer, RenderWorker
from mirror_ray.viewer.run import Run
from mirror_ray.viewer.server import Viewer
from support.recorded_run import plan_for, record_run

# Loopback too, but by a name of its own.
HOST = "127.0.0.2"


@pytest.fixture(scope="module")
def viewer(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Viewer]:
    def no_renderer() -> ClosableRenderer:
        raise RenderError("nothing is drawn here")

    out: Path = tmp_path_factory.mktemp("asked") / "run"
    record_run(plan_for(out, runs=1), lambda _: Reply("no JSON at all"))
    run = Run({str(out): read_manifest(str(out))}, RenderWorker(no_renderer))
    with Viewer(run, 0, HOST) as served:
        thread = Thread(target=served.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        yield served
        served.shutdown()
        thread.join()
    run.close()


def asked(viewer: Viewer, path: str, **headers: str) -> tuple[int, dict[str, str], str]:
    connection = http.client.HTTPConnection(HOST, viewer.server_address[1], timeout=60)
    connection.request("GET", path, headers=headers)
    reply = connection.getresponse()
    body = reply.read().decode()
    connection.close()
    return reply.status, dict(reply.headers), body


def test_nothing_is_said_without_the_token(viewer: Viewer) -> None:
    name = f"mirror_ray_{viewer.server_address[1]}"
    for path in ("/", "/live", "/?token=", "/?token=x", "/?token=%ff", "/nothing"):
        for cookie in ("", f"{name}=", f"{name}=x", f"{name}=\xff", "; =;;", "a" * 5_000):
            status, _, body = asked(viewer, path, **({"Cookie": cookie} if cookie else {}))
            assert status == 403
            assert "recorded" not in body
            assert viewer.access.token not in body


def test_the_link_is_exchanged_for_a_cookie_and_leaves_no_trace(viewer, capfd) -> None:
    token = viewer.access.token
    assert len(token) >= 40
    for path, to in (("/live?token={}&page=2", "/live?page=2"), ("//evil/?token={}", "/evil/")):
        status, headers, body = asked(viewer, path.format(token))
        assert (status, headers["Location"], body) == (303, to, "")
        assert headers["Referrer-Policy"] == "no-referrer"
    kept = headers["Set-Cookie"]
    assert {"HttpOnly", "SameSite=Strict"} <= set(re.split("; ", kept))
    status, _, body = asked(viewer, "/live", Cookie=kept.partition(";")[0])
    assert status == 200
    assert token not in body
    assert token not in repr(viewer.access)
    assert token not in str(capfd.readouterr())


def test_wrong_tokens_take_equally_long(viewer: Viewer, monkeypatch) -> None:
    compared = []
    real = access_module.hmac.compare_digest
    monkeypatch.setattr(
        access_module.hmac, "compare_digest", lambda *two: compared.append(two) or real(*two)
    )
    assert asked(viewer, "/?token=wrong")[0] == 403
    assert (b"wrong", viewer.access.token.encode()) in compared


def test_another_name_is_refused_with_the_token_too(viewer: Viewer) -> None:
    status, _, body = asked(viewer, f"/?token={viewer.access.token}", Host="evil.example")
    assert status == 421
    assert viewer.access.token not in body


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "a b", "x/y", "", "e" * 300, "a:b"])  # noqa: S104
def test_what_names_no_single_host_is_bad_input(host: str) -> None:
    with pytest.raises(SweepError, match="--host"):
        Access.of(host)


def test_this_machine_alone_needs_no_token() -> None:
    assert Access.of(None) == Access.of("localhost") == Access()
    assert Access().admits("", 1)
    assert not Access().is_token("")
