"""A canary against a server on loopback: the same model, a worse one, and one that fails."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from mirror_ray.cli import main
from support.loopback import Loopback


@pytest.fixture
def serve(tmp_path: Path, loopback: Loopback) -> Any:
    """Write a sweep of twelve cards whose model is that agent of the loopback server."""

    def write(target: str) -> str:
        model = {"target": f"openai/{target}", "base_url": loopback.base_url, "api_key_env": None}
        prices = {"usd_per_mtok_in": 0.0, "usd_per_mtok_out": 0.0}
        (tmp_path / "served.yaml").write_text(
            yaml.safe_dump({"models": {"house/reader": {**model, **prices}}})
        )
        stage = {"family": "flipset", "conditions": ["L2"], "seeds": 12, "temperature": [0.0]}
        sweep = {"name": "cards", "models": ["house/reader"], "catalogue": ["served.yaml"]}
        path = tmp_path / "cards.yaml"
        path.write_text(
            yaml.safe_dump({**sweep, "stages": [stage], "out": str(tmp_path / "baseline")})
        )
        return str(path)

    return write


@pytest.mark.thorough("cli/test_canary.py, on runs that no server answered")
def test_the_exit_code_says_what_became_of_a_served_model(
    serve: Any, tmp_path: Path, ray_session: None, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["run", serve("rotator"), "--plain"]) == 0
    assert main(["seal", str(tmp_path / "baseline"), "--key", str(tmp_path / "key.pem")]) == 0
    baseline = str(tmp_path / "baseline" / "seal.json")

    def canary(target: str) -> tuple[int, dict[str, Any]]:
        capsys.readouterr()
        out = str(tmp_path / target)
        code = main(["canary", serve(target), "--baseline", baseline, "--out", out, "--json"])
        (found,) = json.loads(capsys.readouterr().out)["models"]
        return code, found

    code, same = canary("rotator")
    # Twelve items are too few for a drop of .15; a fall of most of them is found.
    assert (code, same["n"], same["missing"], same["worse"]) == (5, 12, 0, 0)
    code, worse = canary("position-biased")
    assert (code, worse["n"], worse["has_fallen"]) == (1, 12, True)
    code, failing = canary("rotator~400")
    assert (code, failing["n"], failing["missing"], failing["now"]) == (5, 0, 12, None)
    assert failing["may_have_fallen"]
