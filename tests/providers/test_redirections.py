"""Both client routes follow the same variables, which doctor and the manifest name."""

import asyncio
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

import pytest

from mirror_ray.core.types import Request
from mirror_ray.providers.hosted import Hosted
from mirror_ray.providers.model import Limits, Model
from mirror_ray.providers.redirections import host_of, proxy_for, redirections


@pytest.fixture
def proxy(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The request lines that a proxy receives, which the environment names."""
    asked: list[str] = []

    class Proxy(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked.append(self.requestline)
            self.send_error(503)

        def log_message(self, *_: object) -> None:
            pass

    for name in ("no_proxy", "NO_PROXY", "http_proxy"):
        monkeypatch.delenv(name, raising=False)
    with HTTPServer(("127.0.0.1", 0), Proxy) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        monkeypatch.setenv("HTTP_PROXY", f"http://me:pw@127.0.0.1:{server.server_port}")
        monkeypatch.setenv("http_proxy", f"http://me:pw@127.0.0.1:{server.server_port}")
        yield asked
        server.shutdown()


@pytest.mark.parametrize("route", ["hosted_vllm/m", "openai/m"])
@pytest.mark.parametrize(("host", "n_asked"), [("far.invalid", 1), ("127.0.0.1:9", 0)])
def test_both_routes_use_the_proxy_but_for_this_machine(
    route: str, host: str, n_asked: int, proxy: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("K", "key-0123456789")
    model = Model("m", "hosted", route, Limits("k"), base_url=f"http://{host}/v1", api_key_env="K")
    request = Request("e", 1, "c", "m", "s", "u", (), None, None, 16, {})

    async def ask() -> None:
        hosted = Hosted(model)
        await hosted.reply(request)
        await hosted.aclose()

    asyncio.run(ask())
    assert len(proxy) == n_asked
    assert all("far.invalid" in line for line in proxy)


def test_no_proxy_is_heeded(proxy: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("no_proxy", "near.invalid,.inner")
    monkeypatch.setenv("NO_PROXY", "near.invalid,.inner")
    assert proxy_for("http://near.invalid/v1") is None
    assert proxy_for("http://a.inner/v1") is None
    assert proxy_for("http://far.invalid/v1") is not None
    assert not proxy


def test_they_are_named_without_user_and_password() -> None:
    found = redirections(
        {
            "HTTPS_PROXY": "http://me:secret@proxy:3128/path?x=secret",
            "OPENAI_BASE_URL": "https://me:secret@gateway.example/v1?key=secret",
            "SSL_CERT_FILE": "/etc/ours.pem",
            "OPENAI_API_KEY": "secret",
            "AWS_ENDPOINT_URL_BEDROCK_RUNTIME": "https://bedrock.example/x",
            "AZURE_OPENAI_ENDPOINT": "https://azure.example",
            "OTEL_EXPORTER_OTLP_ENDPOINT": "https://traces.example",
            "HOME": "/root",
            "ALL_PROXY": "",
        }
    )
    assert found == {
        "AWS_ENDPOINT_URL_BEDROCK_RUNTIME": "bedrock.example",
        "AZURE_OPENAI_ENDPOINT": "azure.example",
        "HTTPS_PROXY": "proxy:3128",
        "OPENAI_BASE_URL": "gateway.example",
        "SSL_CERT_FILE": "/etc/ours.pem",
    }
    assert host_of("me:secret@proxy:99999999") == "?"


@pytest.mark.parametrize("variable", ["ALL_PROXY", "HTTPS_PROXY"])
def test_a_proxy_of_another_kind_is_named(variable: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(variable, "socks5://user:secret@far.invalid:1080")
    with pytest.raises(ConnectionError, match="socks5 proxy") as caught:
        proxy_for("https://elsewhere.invalid/v1")
    assert "secret" not in str(caught.value)
