"""The manifests for Kubernetes and SkyPilot, as far as no cluster is needed.

`RAY_JOB` states which fields of KubeRay's `ray.io/v1` RayJob the manifest may use, and their types,
after the published resource definition; a field that is not listed here is refused.
"""

import re
import subprocess
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

ROOT = Path(__file__).parents[2]
MANIFEST = ROOT / "cluster" / "rayjob.yaml"
SKY = ROOT / "cluster" / "sky.yaml"

TEXT = {"type": "string"}
NUMBER = {"type": "integer", "minimum": 0}
TEXTS = {"type": "object", "additionalProperties": TEXT}


def record(required: str = "", **fields: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": fields,
        "required": required.split(),
        "additionalProperties": False,
    }


def listed(item: Any) -> dict[str, Any]:
    return {"type": "array", "items": item, "minItems": 1}


CONTAINER = record(
    "name image resources",
    name=TEXT,
    image=TEXT,
    envFrom=listed(record("secretRef", secretRef=record("name", name=TEXT))),
    env=listed(record("name value", name=TEXT, value=TEXT)),
    ports=listed(record("containerPort", containerPort=NUMBER, name=TEXT)),
    resources=record("requests limits", requests=TEXTS, limits=TEXTS),
    volumeMounts=listed(record("name mountPath", name=TEXT, mountPath=TEXT)),
)
VOLUME = record(
    "name persistentVolumeClaim",
    name=TEXT,
    persistentVolumeClaim=record("claimName", claimName=TEXT),
)
POD = record(
    "containers",
    securityContext=record(runAsUser=NUMBER, fsGroup=NUMBER),
    containers=listed(CONTAINER),
    volumes=listed(VOLUME),
)
# Values of `ray start` are texts, also where they are numbers.
HEAD = record("rayStartParams template", rayStartParams=TEXTS, template=record("spec", spec=POD))
WORKERS = record(
    "groupName minReplicas maxReplicas rayStartParams template",
    **HEAD["properties"],
    groupName=TEXT,
    replicas=NUMBER,
    minReplicas=NUMBER,
    maxReplicas=NUMBER,
)
RAY_JOB = record(
    "entrypoint rayClusterSpec",
    entrypoint=TEXT,
    submissionMode={"enum": ["K8sJobMode", "HTTPMode", "InteractiveMode", "SidecarMode"]},
    backoffLimit=NUMBER,
    submitterConfig=record(backoffLimit=NUMBER),
    shutdownAfterJobFinishes={"const": True},
    ttlSecondsAfterFinished=NUMBER,
    rayClusterSpec=record(
        "rayVersion headGroupSpec workerGroupSpecs authOptions",
        rayVersion=TEXT,
        authOptions=record("mode", mode={"enum": ["disabled", "token"]}),
        headGroupSpec=HEAD,
        workerGroupSpecs=listed(WORKERS),
    ),
)


@pytest.fixture(scope="module")
def documents() -> dict[str, dict[str, Any]]:
    found = list(yaml.safe_load_all(MANIFEST.read_text(encoding="utf-8")))
    return {one["kind"]: one for one in found}


def test_the_job_has_fields_and_types_of_the_published_definition(documents) -> None:
    job = documents["RayJob"]
    assert job["apiVersion"] == "ray.io/v1"
    jsonschema.validate(job["spec"], RAY_JOB)
    wrong = {**job["spec"], "backofLimit": 3}
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(wrong, RAY_JOB)


def test_the_head_resumes_on_a_volume_and_alone_has_keys(documents) -> None:
    spec = documents["RayJob"]["spec"]
    assert spec["backoffLimit"] > 0
    assert spec["submitterConfig"]["backoffLimit"] == 0
    cluster = spec["rayClusterSpec"]
    assert cluster["authOptions"]["mode"] == "token"
    pod = cluster["headGroupSpec"]["template"]["spec"]
    (head,), (volume,) = pod["containers"], pod["volumes"]
    claim = documents["PersistentVolumeClaim"]["metadata"]["name"]
    assert volume["persistentVolumeClaim"]["claimName"] == claim
    (mount,) = head["volumeMounts"]
    assert mount["name"] == volume["name"]
    out = re.search(r"--out (\S+)", spec["entrypoint"])
    assert out is not None
    assert out[1].startswith(mount["mountPath"])
    (keys,) = head["envFrom"]
    assert f"secret generic {keys['secretRef']['name']} " in MANIFEST.read_text()
    groups = cluster["workerGroupSpecs"]
    assert all("envFrom" not in one["template"]["spec"]["containers"][0] for one in groups)


def test_hosts_that_serve_draw_nothing_and_the_head_neither(documents) -> None:
    cluster = documents["RayJob"]["spec"]["rayClusterSpec"]
    assert cluster["headGroupSpec"]["rayStartParams"]["num-cpus"] == "0"
    offered = {
        group["groupName"]: yaml.safe_load(yaml.safe_load(group["rayStartParams"]["resources"]))
        for group in cluster["workerGroupSpecs"]
    }
    assert offered == {"render": {"renderer": 4}, "serve": {"model_server": 1}}


def test_the_image_has_the_ray_that_the_manifest_states(documents) -> None:
    lock = (ROOT / "mirror_ray/locks/runtime.lock").read_text()
    pinned = re.findall(r"^ray==(\S+)", lock, re.MULTILINE)
    assert [documents["RayJob"]["spec"]["rayClusterSpec"]["rayVersion"]] == pinned
    # `ray job submit` and the dashboard, which the operator asks, and the client of S3.
    assert " -r cluster.lock -r aws.lock " in (ROOT / "Dockerfile").read_text()


def test_skypilot_s_own_ray_is_left_alone(tmp_path: Path) -> None:
    sky = yaml.safe_load(SKY.read_text(encoding="utf-8"))
    known = {"name", "num_nodes", "workdir", "resources", "secrets", "setup", "run"}
    assert sky.keys() <= known
    for name in ("setup", "run"):
        subprocess.run(["bash", "-n", "-c", sky[name]], check=True)
    started = re.findall(r"ray start (.*)", sky["run"])
    assert len(started) == 2
    assert all("--temp-dir=" in one for one in started)
    assert not re.search(r"6380|8266|ray stop", sky["run"])
