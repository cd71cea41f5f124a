"""A graphics driver that hangs within a function of OpenGL, as real ones do: below Python."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

SOURCE = Path(__file__).with_suffix(".c")


def hanging_gl(folder: Path, function: str, *, at: int = 1, once: bool = False) -> dict[str, str]:
    """An environment whose processes hang in a function of OpenGL; skips where no C compiler is.

    Args:
        at: the call of each process in which it hangs.
        once: only the first process that gets so far hangs; it leaves ``folder/hung``.
    """
    if (compiler := shutil.which("cc")) is None:
        pytest.skip("needs a C compiler: apt-get install gcc")
    library = folder / "hanging_gl.so"
    built = [compiler, "-shared", "-fPIC", "-o", str(library), str(SOURCE), "-ldl"]
    subprocess.run(built, check=True)
    chosen = {"HANG_IN": function, "HANG_AT": str(at), "LD_PRELOAD": str(library)}
    return {**os.environ, **chosen, **({"HANG_ONCE": str(folder / "hung")} if once else {})}
