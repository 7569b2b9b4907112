#!/bin/sh
# Writes the user and password from the environment into a file in memory, then becomes PgBouncer.
set -eu
umask 077
printf '"proof" "%s"\n' "$DATABASE_PASSWORD" > /etc/pgbouncer/users/userlist.txt
exec pgbouncer /etc/pgbouncer/pgbouncer.ini
