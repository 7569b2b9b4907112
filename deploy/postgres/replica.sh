#!/bin/bash
# Copies the primary at the first start, and is a streaming replica of it from then on.
set -euo pipefail
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  rm -rf "$PGDATA"
  umask 077
  PGPASSWORD="$REPLICATION_PASSWORD" pg_basebackup --host=postgres --username=replica \
    --pgdata="$PGDATA" --wal-method=stream --checkpoint=fast
  touch "$PGDATA/standby.signal"
  printf "primary_conninfo = 'host=postgres user=replica password=%s'\n" "$REPLICATION_PASSWORD" >> "$PGDATA/postgresql.auto.conf"
fi
exec postgres -c hot_standby=on -c max_connections=200
