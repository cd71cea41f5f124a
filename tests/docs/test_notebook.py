"""The notebook of the docs does what it says, from its first cell to its last."""

from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

from examples import ROOT

pytestmark = pytest.mark.thorough(
    "docs/test_documented_python.py executes docs/python.md, which has the same calls"
)

NOTEBOOK = ROOT / "docs" / "python.ipynb"
WITHIN_S = 240


@pytest.mark.timeout(600)
def test_every_cell(
    tmp_path: Path, ray_env: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in ray_env.items():
        monkeypatch.setenv(name, value)
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    # Outputs would be those of an earlier release.
    assert not any(cell.get("outputs") for cell in notebook.cells)
    where = {"metadata": {"path": str(tmp_path)}}
    NotebookClient(notebook, timeout=WITHIN_S, kernel_name="python3", resources=where).execute()
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    assert {"text/html", "image/png"} <= {kind for one in outputs for kind in one.get("data", {})}
    # What DuckDB or anybody else complains of would stand here.
    assert not [one for one in outputs if one.get("name") == "stderr"]
