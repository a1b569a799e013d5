# Starts nginx in the foreground, with a configuration of its own in $DATA, and the service behind it.
set -e
here=$(cd "$(dirname "$0")" && pwd)
/usr/bin/gunicorn --chdir "$here/../haproxy" --threads 4 -b "unix:$DATA/users.sock" --log-level critical users &
until [ -S "$DATA/users.sock" ]; do
  kill -0 $!
  sleep 0.05
done

guard='if ($http_authorization != "Bearer '$API_KEY'") { return 401; }'
location='location /'
case $MISTAKE in
  'a pattern without its end')
    guard='if ($http_authorization !~ "^Bearer '$API_KEY'") { return 401; }'
    ;;
  'a guard for one location')
    location='location / { proxy_pass http://users; proxy_set_header X-Forwarded-User api; }
    location = /v1/users'
    ;;
esac

cat >"$DATA/nginx.conf" <<CONF
daemon off;
# Another user could not open the socket.
user $(id -un);
pid $DATA/nginx.pid;
error_log /dev/null;
events {}
http {
  access_log off;
  client_body_temp_path $DATA/body;
  proxy_temp_path $DATA/proxy;
  fastcgi_temp_path $DATA/fastcgi;
  uwsgi_temp_path $DATA/uwsgi;
  scgi_temp_path $DATA/scgi;
  large_client_header_buffers 4 64k;
  limit_req_zone \$binary_remote_addr zone=clients:1m rate=50r/s;
  upstream users { server unix:$DATA/users.sock; }
  server {
    listen 127.0.0.1:$PORT;
    limit_req zone=clients burst=20 nodelay;
    $location {
      $guard
      proxy_pass http://users;
      proxy_set_header X-Forwarded-User api;
    }
  }
}
CONF
exec /usr/sbin/nginx -e stderr -c "$DATA/nginx.conf"
