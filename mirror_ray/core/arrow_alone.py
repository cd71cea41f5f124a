"""Keeps Arrow from importing pandas, which it does only to recognise pandas objects.

Where pandas is installed, this import takes longer than most commands."""

import sys
from collections.abc import Sequence
from types import ModuleType


class _NoPandas:
    @staticmethod
    def find_spec(
        fullname: str, path: Sequence[str] | None, target: ModuleType | None = None, /
    ) -> None:
        if fullname == "pandas":
            raise ModuleNotFoundError(fullname)


def let_arrow_find_no_pandas() -> None:
    """Let Arrow look for pandas once and not find it. Its tables have no `to_pandas` afterwards."""
    if "pandas" in sys.modules:
        return
    import pyarrow as pa  # noqa: PLC0415 - late: not every command reads rows

    sys.meta_path.insert(0, _NoPandas)
    pa.array(())
    sys.meta_path.remove(_NoPandas)
