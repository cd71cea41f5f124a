"""The server: who may ask, what for, under which policy; pictures are the recorded frames."""

import http.client
import re
from base64 import b64encode
from collections.abc import Callable, Iterator
from hashlib import sha256
from html.parser import HTMLParser
from io import BytesIO
from pathlib import Path
from threading import Thread

import numpy as np
import pytest
from PIL import Image

from mirror_ray.core.errors import RenderError, SweepError
from mirror_ray.families.selfid import prompts
from mirror_ray.records.manifest import read_manifest
from mirror_ray.viewer.frame_renderer import RenderWorker
from mirror_ray.viewer.index import PENDING
from mirror_ray.viewer.run import Run
from mirror_ray.viewer.server import Viewer
from mirror_ray.world.renderer import Renderer
from support.shard_rows import rows_of
from support.viewed_run import change_rows, viewed_run

Get = Callable[..., http.client.HTTPResponse]


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("served") / "out"
    viewed_run(folder, conditions=("E1",), runs=2)
    return folder


def served(out: Path, make_renderer: Callable[[], Renderer] = Renderer) -> Iterator[Viewer]:
    run = Run({str(out): read_manifest(str(out))}, RenderWorker(make_renderer))
    with Viewer(run, 0) as viewer:
        thread = Thread(target=viewer.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        yield viewer
        viewer.shutdown()
        thread.join()
    run.close()


@pytest.fixture(scope="module")
def viewer(out: Path) -> Iterator[Viewer]:
    yield from served(out)


@pytest.fixture
def get(viewer: Viewer) -> Get:
    return lambda path, **more: asked(viewer, path, **more)


def asked(viewer: Viewer, path: str, *, method: str = "GET", host: str | None = None):
    connection = http.client.HTTPConnection("127.0.0.1", viewer.server_address[1])
    connection.request(method, path, headers={} if host is None else {"Host": host})
    reply = connection.getresponse()
    reply.body = reply.read()
    connection.close()
    return reply


def steps_of(out: Path) -> list[dict]:
    rows = rows_of(out, "steps")
    return sorted(rows, key=lambda row: (row["episode_id"], row["ask"]))


def test_only_this_machine_is_listened_on(viewer):
    assert viewer.server_address[0] == "127.0.0.1"


@pytest.mark.parametrize("host", ["localhost", "localhost:9000", "127.0.0.1:80"])
def test_names_of_this_machine_are_answered(get, host):
    assert get("/", host=host).status == 200


@pytest.mark.parametrize(
    "host",
    ["evil.example", "127.0.0.1.evil.example", "", "localhost@evil:1", "evil@localhost", "[::1"],
)
def test_other_names_are_refused(get, host):
    reply = get("/", host=host)
    assert reply.status == 421
    assert b"quickstart" not in reply.body


def test_what_is_no_address_is_refused(get):
    assert get("http://[::1", host="localhost").status == 400


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS"])
def test_nothing_but_reading_is_possible(get, method):
    assert get("/", method=method).status == 501


@pytest.mark.parametrize(
    "path",
    [
        "/episode/0000000000000000",
        "/episode/..%2f..%2fmanifest.json",
        "/../manifest.json",
        "/manifest.json",
        "/episode/{id}/ask-1/view-2.png",
        "/episode/{id}/ask-0/view-1.png",
        "/episode/{id}/ask-99/view-1.png",
        "/episode/{id}/ask-1/view-0.png",
        "/episode/{id}/ask-1/secret.png",
        "/episode/{id}/ask-1/../../x.png",
    ],
)
def test_what_is_not_there_is_not_found(get, out, path):
    episode_id = steps_of(out)[0]["episode_id"]
    assert get(path.format(id=episode_id)).status == 404


def test_odd_page_numbers_show_the_first_page(get, viewer):
    viewer.run.index.classes_note(None)
    pages = {get(f"/?page={number}").body for number in ("1", "0", "-3", "x", "", "9" * 30)}
    assert len(pages) == 1


def test_the_list_loads_itself_again_until_it_says_what_is_right(get, viewer, monkeypatch):
    viewer.run.index.classes_note(None)
    again = b'<meta http-equiv="refresh"'
    assert again not in get("/").body
    monkeypatch.setattr(type(viewer.run.index), "classes_note", lambda *_: PENDING)
    assert again in get("/").body


def test_pictures_are_the_frames_that_the_model_got(get, out):
    for row in steps_of(out):
        reply = get(f"/episode/{row['episode_id']}/ask-{row['ask']}/view-1.png")
        pixels = np.asarray(Image.open(BytesIO(reply.body)))
        assert sha256(pixels.tobytes()).hexdigest() == row["frame_sha"]


def test_head_has_the_headers_alone(viewer, get, out):
    # Pages have more to say once the failures are known, which are asked for in the background.
    viewer.run.index.classes_note(None)
    path = f"/episode/{steps_of(out)[0]['episode_id']}"
    whole, head = get(path), get(path, method="HEAD")
    assert head.body == b""
    assert head.headers["Content-Length"] == whole.headers["Content-Length"]


def test_policy_allows_the_page_s_own_style_and_script_alone(get, out):
    for path in ("/", f"/episode/{steps_of(out)[0]['episode_id']}"):
        reply = get(path)
        parts = reply.headers["Content-Security-Policy"].split(";")
        policy = dict(part.strip().split(" ", 1) for part in parts)
        assert policy["default-src"] == policy["base-uri"] == policy["frame-ancestors"] == "'none'"
        page = reply.body.decode()
        for tag in ("script", "style"):
            (content,) = re.findall(rf"<{tag}>(.*?)</{tag}>", page, re.DOTALL)
            digest = b64encode(sha256(content.encode()).digest()).decode()
            assert policy[f"{tag}-src"] == f"'sha256-{digest}'"


class Elements(HTMLParser):
    """Gathers what a page is made of."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: set[str] = set()

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes |= {name for name, _ in attrs}


def test_hostile_text_makes_no_element_and_no_attribute(get, out):
    elements = Elements()
    elements.feed(get(f"/episode/{steps_of(out)[0]['episode_id']}").body.decode())
    assert elements.tags.count("script") == elements.tags.count("style") == 1
    assert not {name for name in elements.attributes if name.startswith("on")}
    assert "style" not in elements.attributes


def test_record_is_shown_where_the_program_has_changed(out, monkeypatch):
    monkeypatch.setattr(prompts, "HISTORY_REASONING_CHARS", 3)
    for viewer in served(out):
        episode_id = steps_of(out)[0]["episode_id"]
        page = asked(viewer, f"/episode/{episode_id}").body.decode()
        assert "other words are asked than were" in page
        assert page.count('class="ask') == 5
        assert "ask-1/view-1.png" in page
        assert "ask-5/view-1.png" not in page
        assert asked(viewer, f"/episode/{episode_id}/ask-5/view-1.png").status == 404


def test_page_stands_without_opengl(out):
    def no_renderer() -> Renderer:
        raise RenderError("no <b>OpenGL</b>")

    for viewer in served(out, no_renderer):
        episode_id = steps_of(out)[0]["episode_id"]
        assert asked(viewer, f"/episode/{episode_id}").status == 200
        picture = asked(viewer, f"/episode/{episode_id}/ask-1/view-1.png")
        assert (picture.status, picture.headers["Content-Type"]) == (503, "image/svg+xml")
        assert b"no &lt;b&gt;OpenGL" in picture.body


def test_what_is_sealed_meanwhile_appears(tmp_path):
    out = tmp_path / "out"
    viewed_run(out, conditions=("E1",))
    for viewer in served(out):
        assert asked(viewer, "/").body.count(b'class="id"') == 1
        (shard,) = (out / "episodes").rglob("*.parquet")
        late = shard.with_name("part-000002.parquet")
        late.write_bytes(shard.read_bytes())
        change_rows(late, lambda row: row | {"episode_id": "0" * 16})
        assert asked(viewer, "/").body.count(b'class="id"') == 2


def test_taken_port_is_bad_input(viewer, out):
    with pytest.raises(SweepError, match="--port"):
        Viewer(viewer.run, viewer.server_address[1])


def test_a_gallery_shows_each_episodes_first_frame_when_it_comes_into_view(get, out):
    table = get("/?condition=E1").body.decode()
    assert 'href="/?condition=E1&amp;show=gallery">as a gallery' in table
    page = get("/?condition=E1&show=gallery").body.decode()
    assert 'href="/?condition=E1">as a table' in page
    assert '<table class="episodes">' not in page
    ids = {row["episode_id"] for row in rows_of(out, "episodes")}
    images = re.findall(
        r'<img src="(/episode/([0-9a-f]{16})/ask-1/view-1\.png)" loading="lazy"', page
    )
    assert {episode_id for _, episode_id in images} == ids
    assert get(images[0][0]).getheader("Content-Type") == "image/png"
    # Filters and turned pages stay a gallery.
    assert '<input type="hidden" name="show" value="gallery">' in page
    assert get("/?show=anything").body.decode().count('<table class="episodes">') == 1
