#!/bin/sh
# Writes the token into a file in memory, then becomes Prometheus.
set -eu
umask 077
printf '%s' "$METRICS_TOKEN" > /tmp/metrics-token
exec /bin/prometheus --config.file=/etc/prometheus/prometheus.yaml --storage.tsdb.path=/prometheus --storage.tsdb.retention.time=30d
