# mirror-ray with software rendering; a GPU is optional.
#   docker build -t mirror-ray .
#   docker run --rm -v "$PWD/runs:/home/player/runs" mirror-ray run quickstart
#   docker run --rm -v "$PWD/runs:/home/player/runs" -e OPENAI_API_KEY mirror-ray run quickstart models=openai/gpt-5.1
FROM python:3.11-slim-bookworm

# wget is for KubeRay's probes.
RUN apt-get update \
    && apt-get install -y --no-install-recommends libegl1 libopengl0 libgl1 libegl-mesa0 libgl1-mesa-dri wget \
    && rm -rf /var/lib/apt/lists/*

COPY pyproject.toml README.md LICENSE /src/
COPY analysis /src/analysis
COPY mirror_ray /src/mirror_ray
COPY sim_assets /src/sim_assets
COPY sweeps /src/sweeps
# Compiled now, once: without .pyc files Ray's workers each start several times slower.
RUN cd /src/mirror_ray/locks \
    && pip install --no-cache-dir --compile --no-deps --require-hashes \
        -r build.lock -r runtime.lock -r report.lock -r export.lock -r replay.lock -r cluster.lock -r aws.lock \
    && pip install --no-cache-dir --compile --no-deps --no-build-isolation /src && rm -rf /src

# Runs lie in /home/player/runs: mount a folder there, or they end with the container.
RUN useradd --create-home --uid 1000 player && install --directory --owner player /home/player/runs
USER player
WORKDIR /home/player
ENV MUJOCO_GL=egl RAY_USAGE_STATS_ENABLED=0
ENTRYPOINT ["mirror-ray"]
CMD ["doctor"]
