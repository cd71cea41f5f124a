"""The key `serve` of a catalogue entry: its own keys, with their types and bounds."""

from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, ValidationInfo, field_validator

from mirror_ray.core.errors import SweepError
from mirror_ray.providers.catalogue_secrets import check_extra
from mirror_ray.providers.redaction import looks_like_a_key
from mirror_ray.providers.served import ARE_SET, Engine, Served, option_of

_Word = Annotated[str, Field(min_length=1, max_length=4_000)]
_Amount = Annotated[float, Field(gt=0.0001, le=1e6, allow_inf_nan=False)]
_Name = Annotated[str, Field(pattern=r"^[A-Za-z_][A-Za-z0-9_.:-]{0,99}$")]

MOST_REPLICAS = 64
_MOST_GPUS = 1_024


class ServeKeys(BaseModel):
    """How the run serves the model."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, hide_input_in_errors=True)

    engine: Engine
    weights: _Word | None = None
    served_name: Annotated[str, Field(min_length=1, max_length=200)] | None = None
    gpus: Annotated[float, Field(ge=0, le=_MOST_GPUS, allow_inf_nan=False)] = 1.0
    resources: dict[_Name, _Amount] = {}
    replicas: Annotated[int, Field(ge=1, le=MOST_REPLICAS)] = 1
    args: Annotated[list[_Word], Field(max_length=500)] = []
    python: _Word = "python3"
    command: Annotated[list[_Word], Field(min_length=1, max_length=500)] | None = None
    health: Annotated[str, Field(pattern=r"^/[^\s?#]{0,199}$")] = "/health"
    port: Annotated[int, Field(ge=1, le=65_535)] | None = None
    ready_within_s: Annotated[float, Field(gt=0, le=86_400, allow_inf_nan=False)] = 1800.0
    env: dict[_Name, Annotated[str, Field(max_length=4_000)]] = {}
    pass_env: Annotated[list[_Name], Field(max_length=100)] = []

    @field_validator("python", "weights")
    @classmethod
    def _rooted(cls, path: str | None, info: ValidationInfo) -> str | None:
        return None if path is None else _whole(path, info)

    @field_validator("command")
    @classmethod
    def _rooted_program(cls, command: list[str] | None, info: ValidationInfo) -> list[str] | None:
        return None if command is None else [_whole(command[0], info), *command[1:]]

    def served(self, name: str, where: str) -> Served:
        """Return the checked settings.

        Args:
            name: the model's, the default of `served_name`.
            where: file and key, for errors.

        Raises:
            SweepError: inconsistent keys; what looks like a secret.
        """
        self._check(where)
        weights, at, revision = (self.weights or "").rpartition("@")
        if not at or not weights or self.weights is None or _is_path(self.weights):
            weights, revision = self.weights or "", ""
        lists = {"args": self.args, "command": self.command or (), "pass_env": self.pass_env}
        own = {"weights": weights or None, "served_name": self.served_name or name}
        words = {key: tuple(listed) for key, listed in lists.items()}
        return Served(**{**self.model_dump(), **words, **own}, revision=revision or None)

    def _check(self, where: str) -> None:
        if self.engine == "command":
            self._check_command(where)
        else:
            self._check_engine(where)
        if self.gpus > 1 and not self.gpus.is_integer():
            raise SweepError(
                f"{where}.gpus",
                f"{self.gpus:g}",
                "a whole number of GPUs, or a fraction of one, such as 0.5",
                "round it up",
            )
        if self.port is not None and self.replicas > 1:
            raise SweepError(
                f"{where}.port",
                f"{self.port} for {self.replicas} replicas",
                "a free port for each, or one replica",
                "leave port out: each replica then takes a free one",
            )
        check_extra({"env": self.env}, where)
        for key in ("command", "args"):
            if any(looks_like_a_key(word) for word in getattr(self, key) or ()):
                raise SweepError(
                    f"{where}.{key}",
                    "a value that looks like a key (not shown)",
                    "no secrets: the catalogue is stored with every run",
                    "put it into the environment of the host, where the server reads it",
                )

    def _check_command(self, where: str) -> None:
        if self.command is None:
            raise SweepError(
                where,
                "engine: command without command",
                "a program and its arguments",
                'add e.g. command: [./server, --port, "{port}"]',
            )
        words = " ".join((*self.command, *self.args))
        if self.port is None and "{port}" not in words:
            raise SweepError(
                f"{where}.command",
                "no {port} among its words, and no port",
                "{port} where the program takes the number of its port, or port: its fixed one",
                'add e.g. --port "{port}"',
            )

    def _check_engine(self, where: str) -> None:
        if self.weights is None or self.command is not None:
            raise SweepError(
                where,
                f"engine: {self.engine} {'with command' if self.command else 'without weights'}",
                "weights for vllm and sglang, command for command",
                "remove command"
                if self.command
                else "add e.g. weights: Qwen/Qwen3-VL-8B-Instruct@COMMIT",
            )
        given = [arg for arg in self.args if option_of(arg) in ARE_SET]
        if given:
            raise SweepError(
                f"{where}.args",
                repr(given[0]),
                "arguments that no other key sets",
                "use weights, served_name and port; requests carry no key",
            )


def _is_path(text: str) -> bool:
    return text.startswith(("/", "./", "../", "~"))


def _whole(path: str, info: ValidationInfo) -> str:
    if not _is_path(path):
        return path
    folder = (info.context or {}).get("folder", Path())
    return str((folder / Path(path).expanduser()).absolute())
