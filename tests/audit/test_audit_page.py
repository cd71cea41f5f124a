"""The page on which a person marks replies: a mark is kept at once, none comes from elsewhere."""

import threading
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from mirror_ray.audit.page import AuditServer
from mirror_ray.audit.sheet import ShownItem
from mirror_ray.audit.store import Audit


@pytest.fixture
def server(tmp_path: Path) -> Iterator[AuditServer]:
    items = [
        ShownItem(f"id{n}", "Right?", "<b>task", "York", "=reply </pre><script>") for n in range(3)
    ]
    audit = Audit(str(tmp_path), "audit")
    made = AuditServer(items, {}, lambda marks: audit.keep_marks("anna", marks), 0)
    threading.Thread(target=made.serve_forever, args=(0.02,), daemon=True).start()
    yield made
    made.shutdown()
    made.server_close()


def sent(server: AuditServer, host: str | None = None, **form: str) -> tuple[int, str]:
    data = urllib.parse.urlencode(form).encode() if form else None
    request = urllib.request.Request(server.address, data)  # noqa: S310 - loopback
    if host:
        request.add_header("Host", host)
    try:
        with urllib.request.urlopen(request, timeout=20) as response:  # noqa: S310
            return response.status, response.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, ""


def test_a_mark_by_key_is_kept_at_once(server: AuditServer, tmp_path: Path) -> None:
    status, page = sent(server)
    assert status == 200
    assert "<script>" in page
    assert "</pre><script>" not in page
    assert 'data-key="r"' in page
    status, page = sent(server, token=server.token, at="1", mark="wrong")
    assert (status, "2 of 3" in page) == (200, True)
    assert Audit(str(tmp_path), "audit").marks() == {"anna": {"id0": "wrong"}}


@pytest.mark.parametrize(
    ("form", "host", "status"),
    [
        ({"at": "1", "mark": "wrong"}, None, 403),
        ({"at": "1", "mark": "wrong", "token": "é"}, None, 403),
        ({"at": "1", "mark": "perhaps", "token": "own"}, None, 400),
        ({"at": "x", "mark": "wrong", "token": "own"}, None, 400),
        ({"at": "0", "mark": "wrong", "token": "own"}, None, 400),
        ({"at": "999", "mark": "wrong", "token": "own"}, None, 400),
        ({"at": "1", "mark": "wrong" * 1_000, "token": "own"}, None, 413),
        ({"at": "1", "mark": "wrong", "token": "own"}, "evil.example", 421),
    ],
)
def test_a_mark_from_elsewhere_is_refused(
    server: AuditServer, form: dict[str, str], host: str | None, status: int
) -> None:
    if form.get("token") == "own":
        form = {**form, "token": server.token}
    assert sent(server, host, **form)[0] == status
    assert server.marks == {}
