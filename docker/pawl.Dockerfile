# An image with pawl itself beside the agents of the Dockerfile here, for machines that have nothing but an engine:
#   docker build --tag pawl-agents docker
#   docker build --file docker/pawl.Dockerfile --build-arg AGENTS=pawl-agents --tag pawl docker
#   docker run --rm -it --init -v "$PWD:$PWD" -w "$PWD" -e ANTHROPIC_API_KEY pawl run docs/plans/login.md
# The container is the boundary then: what is mounted is all that pawl, agents and checks see. It has no engine of its own.
ARG AGENTS=pawl-agents
FROM ${AGENTS}

USER root
# A version from the registry, or a packed file of this folder: PACKAGE=./pawl-0.1.0.tgz.
ARG PACKAGE=pawl
COPY . /tmp/package/
RUN cd /tmp/package \
 && npm install --global --no-audit --no-fund --ignore-scripts "${PACKAGE}" \
 && npm cache clean --force \
 && cd / && rm -rf /tmp/package \
 && git config --system --add safe.directory '*' \
 && pawl --version

ARG UID=1000
ARG GID=1000
USER ${UID}:${GID}
ENTRYPOINT ["pawl"]
CMD ["--help"]
