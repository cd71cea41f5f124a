"""A model that the run itself serves: which program answers for it, and on what hardware. Plain
data, and the program's command line."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from mirror_ray.core.shipped_files import shipped_yaml

Engine: TypeAlias = Literal["vllm", "sglang", "command"]

_SAID = shipped_yaml("mirror_ray.providers", "engines.yaml")
ENGINES: Mapping[str, Mapping[str, Any]] = _SAID["engines"]
ARE_SET = frozenset(_SAID["are_set"])
"""Arguments of engines that no entry may state."""
MODULES: Mapping[str, str] = {name: one["module"] for name, one in ENGINES.items()}
"""The Python package that must be importable in each engine's environment."""


def option_of(argument: str) -> str:
    """Return the option that an argument names; vLLM accepts underscores in place of hyphens."""
    return argument.partition("=")[0].replace("_", "-")


@dataclass(frozen=True, slots=True)
class Served:
    """How a model is served.

    Args:
        engine: "vllm" or "sglang", or "command" for any other program.
        served_name: the model's name in requests.
        weights: a Hugging Face repository or an absolute path; `revision` is its commit.
        gpus: for one replica; a fraction shares a GPU.
        resources: for one replica: Ray's custom resources, e.g. for the kind of GPU.
        replicas: servers with the same weights, over which calls are spread.
        args: further arguments of the engine.
        python: the interpreter of the engine's own environment.
        command: program and arguments; ``{port}``, ``{host}`` and ``{weights}`` are replaced.
        health: path that answers with 200 once the model can be called.
        port: a fixed one; None: a free one.
        ready_within_s: bound on loading the weights.
        env: further environment variables; no secrets.
        pass_env: names of variables of the host that the server gets, too, e.g. HF_TOKEN.
    """

    engine: Engine
    served_name: str
    weights: str | None = None
    revision: str | None = None
    gpus: float = 1.0
    resources: Mapping[str, float] = field(default_factory=dict)
    replicas: int = 1
    args: tuple[str, ...] = ()
    python: str = "python3"
    command: tuple[str, ...] = ()
    health: str = "/health"
    port: int | None = None
    ready_within_s: float = 1800.0
    env: Mapping[str, str] = field(default_factory=dict)
    pass_env: tuple[str, ...] = ()

    @property
    def program(self) -> str:
        """The program that must be installed on a host that serves the model."""
        return self.command[0] if self.engine == "command" else self.python

    def argv(self, *, host: str, port: int | str) -> tuple[str, ...]:
        """Return program and arguments of one replica, which listens at this address.

        vLLM and SGLang are told not to take sampling defaults from the files of the weights, so
        that a request without `top_p` means the same for every model."""
        if self.engine == "command":
            values = {"{host}": host, "{port}": str(port), "{weights}": self.weights or ""}
            return tuple(_filled(part, values) for part in (*self.command, *self.args))
        at = ("--served-model-name", self.served_name, "--host", host, "--port", str(port))
        revision = () if self.revision is None else ("--revision", self.revision)
        engine = ENGINES[self.engine]
        run = (self.python, "-m", *engine["program"], self.weights or "")
        return (*run, *revision, *at, *engine["sampling"], *self._sharding(), *self.args)

    def _sharding(self) -> tuple[str, ...]:
        options = ENGINES[self.engine]["sharding"]
        given = {option_of(arg) for arg in self.args}
        if self.gpus <= 1 or given.intersection(options):
            return ()
        return (options[0], str(int(self.gpus)))


def _filled(part: str, values: Mapping[str, str]) -> str:
    for name, value in values.items():
        part = part.replace(name, value)
    return part
