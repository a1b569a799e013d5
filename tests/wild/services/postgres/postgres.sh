# Starts a PostgreSQL cluster of its own in $DATA, reachable through a socket there, and the service.
set -e
here=$(cd "$(dirname "$0")" && pwd)
bin=$(ls -d /usr/lib/postgresql/*/bin | tail -1)
# PostgreSQL refuses to run as root.
as=
if [ "$(id -u)" = 0 ]; then
  as='setpriv --reuid=postgres --regid=postgres --clear-groups'
  chown postgres "$DATA"
fi
cd "$DATA"
$as "$bin/initdb" -D "$DATA/cluster" -U users -A trust -E UTF8 --locale=C.UTF-8 --no-sync >/dev/null
$as "$bin/postgres" -D "$DATA/cluster" -k "$DATA" -c listen_addresses= -c fsync=off \
  -c dynamic_shared_memory_type=mmap >/dev/null 2>&1 &
until "$bin/pg_isready" -q -h "$DATA"; do
  kill -0 $!
  sleep 0.05
done
# The kernel frees the shared memory with the last process, even if all of them are killed.
ipcrm -m "$(awk 'NR == 7 { print $2 }' "$DATA/cluster/postmaster.pid")"
exec node "$here/postgres.mjs"
