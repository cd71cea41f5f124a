"""Whatever is asked of the viewer's server, it lives on and shows its run alone, here alone."""

import errno
import re
import socket
from collections.abc import Iterator
from pathlib import Path
from threading import Thread, active_count

import pytest

from mirror_ray.core.errors import RenderError
from mirror_ray.core.types import Reply
from mirror_ray.records.manifest import read_manifest
from mirror_ray.viewer.frame_renderer import ClosableRenderer, RenderWorker
from mirror_ray.viewer.run import Run
from mirror_ray.viewer.server import Viewer
from support.recorded_run import plan_for, record_run

_CANARY = "what only its owner may read"
_NAMES = {"Server", "Date", "Content-Type", "Content-Length", "Content-Security-Policy"}
_NAMES |= {"X-Content-Type-Options", "X-Frame-Options", "Referrer-Policy", "Cache-Control"}
_NAMES |= {"Cross-Origin-Resource-Policy", "Cross-Origin-Opener-Policy", "Connection"}

PATHS = (
    *("/..", "/../", "/../../etc/passwd", "//etc/passwd", "/./../canary", "/%2e%2e/canary"),
    *("/..%2fcanary", "/%2e%2e%2fcanary", "/..%5ccanary", "/..\\canary", "/%c0%ae%c0%ae/canary"),
    *("/%252e%252e%252fcanary", "/..%00/canary", "/%00", "/\x01", "/canary%00.png", "/.../canary"),
    *("/manifest.json", "/sweep.yaml", "/journal.sqlite", "/episodes/", "/steps/", "/views.sql"),
    *("/episodes/family=selfid/part-000001.parquet", "/.git/config", "/.run.lock", "/favicon.ico"),
    *("/episode/", "/episode", "/episode/..", "/episode/../..", "/episode/%2e%2e/manifest.json"),
    *("/episode/0", "/episode/" + "0" * 15, "/episode/" + "0" * 17, "/episode/" + "g" * 16),
    *("/episode/" + "A" * 16, "/episode/" + "0" * 16 + "/", "/episode/" + "0" * 16 + "\n"),
    *("/episode/" + "0" * 16 + "%0a", "/episode/" + "０" * 16, "/episode/" + "0" * 30_000),
    *("/episode/ID/ask-1", "/episode/ID/ask-1/", "/episode/ID/ask-1/view-1", "/episode/ID//"),
    *("/episode/ID/ask-0/view-1.png", "/episode/ID/ask--1/view-1.png", "/episode/ID/../ID"),
    *("/episode/ID/ask-999999/view-1.png", "/episode/ID/ask-9999999/view-1.png"),
    *("/episode/ID/ask-1/view-0.png", "/episode/ID/ask-1/view-999.png", "/episode/ID;x"),
    *("/episode/ID/ask-1/view-1.png.png", "/episode/ID/ask-1/..%2fview-1.png"),
    *("/episode/ID/ask-1/__class__.png", "/episode/ID/ask-1/view.png", "/episode/ID/ask-1/.png"),
    *("/episode/ID/ask-1/map-1.png", "/episode/ID/ask-1/VIEW-1.png", "/episode/ID/ask-1e1/map.png"),
    *("/episode/ID/ask-٣/view-1.png", "/episode/ID%20", "/episode/%49%44", "/EPISODE/ID", "*"),
    *("http://evil.example/", "http://[::1", "http://[", "//evil.example/", "///", "/;/", "/#/"),
    *("/<script>alert(1)</script>", "/%3Cscript%3E", "/" + "a" * 60_000, "/" + "/" * 60_000),
    *("/\xff\xfe", "/%ff%fe", "/%", "/%zz", "/?", "/?&&&", "/? ", "file:///etc/passwd", "x"),
)
QUERIES = (
    *("page=-1", "page=0", "page=99999999", "page=" + "9" * 5_000, "page=1e9", "page=NaN", "page="),
    *("page=%00", "page[]=1", "page=1&page=2", "page=٣", "page=1;drop%20table%20listed"),
    *("id='", "id=%27%20or%201=1--", "id=%00", "id=" + "0" * 60_000, "id=%25", "id=_", "id=\\"),
    *("id=$id", "id=%24page", "id={}", "id=%F0%9F%92%A9", "id=%ED%A0%80", "id=%FF", "id=*"),
    *("family=selfid'", "family=x%22%3B--", "family=selfid;copy", "family=../..", "family=null"),
    *(
        "condition=%27%3B%20copy%20(select%201)%20to%20%27x%27%3B",
        "condition=E1%00",
        "condition=[/]",
    ),
    *("model=<script>", "model=%1b[31m", "model=%0d%0aX-Injected:1", "variant=" + "v" * 50_000),
    *("temperature=nan", "temperature=1e999", "temperature='0.2'::double", "temperature=true"),
    *(
        "outcome=failed%27",
        "failure=x",
        "failure=%27",
        "place=1",
        "where=true",
        "rows=9",
        "skipped=9",
    ),
    *("__class__=1", "self=1", "name=x", "=", "=x", "%00=1", "&" * 60_000, "a=b&" * 15_000),
)
HOSTS = (
    *("evil.example", "evil.example:PORT", "127.0.0.1.evil.example", "localhost.evil.example"),
    *("localhost.", "0.0.0.1", "[::1]", "[::1]:PORT", "2130706433", "0x7f.1", "127.1", "127.0.0.2"),
    *("localhost@evil.example", "evil.example@localhost", "localhost/evil", "localhost\\evil"),
    *("localhost:80:80", "localhost:999999", "localhost:", "localhost:-1", "localhost:a", ""),
    *("localhost,evil.example", "localhost evil", "\tlocalhost\x00", "ｌocalhost", "xn--localhost"),
    *("127.0.0.1\x85", "l" * 60_000),
)
METHODS = (
    *("POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "CONNECT", "PROPFIND", "MOVE", "get"),
    *("GETGET", "G\x00ET", "__class__", "close", "command", "PRI", "M" * 60_000),
)
RAW = (
    *(b"", b"\r\n", b"\n\n\n\n", b"\x00" * 100, b"\xff" * 100, b"GET", b"GET /", b"GET / \r\n\r\n"),
    *(b"GET /\r\n\r\n", b"GET / HTTP/0.9\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n"),
    *(b"GET / HTTP/1.\xb2\r\n\r\n", b"GET / HTTP/1.1.1\r\n\r\n", b"GET  /  HTTP/1.1  x\r\n\r\n"),
    *(b"GET / HTTP/1.1\r\n\r\n", b"GET / HTTP/1.0\r\n\r\n", b"GET / FTP/1.1\r\n\r\n"),
    b"GET / HTTP/" + b"9" * 10_000 + b".1\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost localhost\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: evil.example\r\nHost: localhost\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: evil\r\n folded: localhost\r\n\r\n",
    b"GET / HTTP/1.1\r\nX-Forwarded-Host: localhost\r\nHost: evil.example\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: localhost\r\n" + b"X: y\r\n" * 5_000 + b"\r\n",
    b"GET / HTTP/1.1\r\nHost: localhost\r\nX: " + b"y" * 100_000 + b"\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999\r\n\r\nabc",
    b"GET / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nffffffff\r\n",
    b"GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 43\r\n\r\n"
    b"GET /manifest.json HTTP/1.1\r\nHost: evil\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: localhost\r\nRange: bytes=0-9999999999,-1,5-2\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: localhost\r\nIf-Range: x\r\nRange: lines=a-b\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: localhost\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: localhost\r\nOrigin: http://evil.example\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: localhost\r\nCookie: " + b"a=b; " * 10_000 + b"\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: gzip;q=1e999\r\n\r\n",
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\x00" * 200,
)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("asked") / "run"
    record_run(plan_for(out, runs=2), lambda _: Reply("no JSON at all"))
    (out.parent / "canary").write_text(_CANARY)
    (out / "canary").write_text(_CANARY)
    return out


@pytest.fixture(scope="module")
def viewer(run: Path) -> Iterator[Viewer]:
    def no_renderer() -> ClosableRenderer:
        raise RenderError("nothing is drawn here")

    shown = Run({str(run): read_manifest(str(run))}, RenderWorker(no_renderer))
    shown.index.classes_note(None)
    with Viewer(shown, 0) as served:
        thread = Thread(target=served.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        yield served
        served.shutdown()
        thread.join()
    shown.close()


def said(viewer: Viewer, request: bytes) -> bytes:
    """All that the server says to these bytes and their end."""
    with socket.create_connection(viewer.server_address[:2], timeout=30) as connection:
        try:
            connection.sendall(request)
            connection.shutdown(socket.SHUT_WR)
            return b"".join(iter(lambda: connection.recv(65_536), b""))
        except OSError as error:
            # It has hung up on a request that is too long.
            if isinstance(error, ConnectionError) or error.errno == errno.ENOTCONN:
                return b""
            raise


def asked(
    viewer: Viewer, path: str = "/", *, method: str = "GET", host: str = "localhost"
) -> bytes:
    host = host.replace("PORT", str(viewer.server_address[1]))
    episode_id = viewer.run.index.all()[0]["episode_id"]
    path = path.replace("ID", episode_id)
    lines = f"{method} {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"
    return said(viewer, lines.encode("utf-8"))


def checked(reply: bytes) -> int | None:
    """The status of what was said, which leaks and injects nothing; None of nothing."""
    assert _CANARY.encode() not in reply
    assert b"Traceback" not in reply
    if not reply:
        return None
    head, _, body = reply.partition(b"\r\n\r\n")
    status, *headers = head.split(b"\r\n")
    found = re.fullmatch(rb"HTTP/1\.[01] ([0-9]{3}) [ -~]*", status)
    if found is None:
        # To HTTP of before 1.0 a body is sent without a head.
        assert not reply.startswith(b"HTTP/")
        return None
    assert {line.partition(b":")[0].decode() for line in headers} <= _NAMES
    assert b"text/html" not in head or b"<script>alert" not in body
    return int(found[1])


@pytest.fixture(autouse=True)
def goes_on(viewer: Viewer, capfd: pytest.CaptureFixture[str]) -> Iterator[None]:
    before = active_count()
    yield
    assert checked(asked(viewer)) == 200
    assert active_count() <= before + 2
    # What was asked is nobody's business, and no fault of the viewer's.
    assert capfd.readouterr() == ("", "")


def test_paths_lead_to_the_run_s_pages_alone(viewer: Viewer) -> None:
    for path in PATHS:
        assert checked(asked(viewer, path)) in (200, 400, 404, 414, 503, None), path


def test_files_of_the_run_are_no_pages(viewer: Viewer, run: Path) -> None:
    for file in run.rglob("*"):
        assert checked(asked(viewer, f"/{file.relative_to(run)}")) == 404, file


def test_queries_narrow_the_list_and_do_nothing_else(viewer: Viewer) -> None:
    for query in QUERIES:
        for path in ("/", "/episode/ID"):
            assert checked(asked(viewer, f"{path}?{query}")) in (200, 400, 414, None), query
    assert len(viewer.run.index.all()) == 2


def test_other_hosts_are_not_served(viewer: Viewer) -> None:
    for host in HOSTS:
        assert checked(asked(viewer, host=host)) in (400, 421, 431), host


def test_nothing_but_reading_is_served(viewer: Viewer) -> None:
    for method in METHODS:
        assert checked(asked(viewer, method=method)) in (400, 414, 501, None), method


def test_what_is_no_request_ends_with_its_connection(viewer: Viewer) -> None:
    for request in RAW:
        checked(said(viewer, request))


def test_a_body_is_no_second_request(viewer: Viewer) -> None:
    inner = b"GET /episode/0000000000000000 HTTP/1.1\r\nHost: localhost\r\n\r\n"
    head = b"GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n" % len(inner)
    assert said(viewer, head + inner).count(b"HTTP/1.1 ") == 1


def test_those_who_say_little_do_not_keep_others_waiting(viewer: Viewer) -> None:
    slow = [socket.create_connection(viewer.server_address[:2]) for _ in range(30)]
    for connection in slow:
        connection.sendall(b"GET / HTTP/1.1\r\nHost: loc")
    assert checked(asked(viewer)) == 200
    for connection in slow:
        connection.close()
    # A silent connection is given up in the end.
    assert viewer.RequestHandlerClass.timeout


def test_there_are_enough() -> None:
    assert sum(map(len, (PATHS, QUERIES, QUERIES, HOSTS, METHODS, RAW))) >= 150
