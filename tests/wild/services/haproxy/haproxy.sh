# Starts HAProxy in the foreground, with a configuration of its own in $DATA, and the service behind it.
set -e
here=$(cd "$(dirname "$0")" && pwd)
/usr/bin/gunicorn --chdir "$here" --threads 4 -b "unix:$DATA/users.sock" --log-level critical users &
until [ -S "$DATA/users.sock" ]; do
  kill -0 $!
  sleep 0.05
done

# WSGI reads an underscore in a header name as a hyphen, and HAProxy passes both.
foreign='http-request del-header X-Forwarded-User
  http-request del-header _ -m sub'
user='http-request set-header X-Forwarded-User api if authorized'
cache=
case $MISTAKE in
  'names with underscores')
    foreign='http-request del-header X-Forwarded-User'
    ;;
  'a path prefix')
    user='http-request return status 401 hdr WWW-Authenticate Bearer if !authorized { path_beg /v1/users }
  http-request set-header X-Forwarded-User api'
    ;;
  'a cache before the guard')
    cache='http-request cache-use responses
  http-response set-header Cache-Control "public, max-age=1"
  http-response cache-store responses'
    ;;
esac

cat >"$DATA/haproxy.cfg" <<CONF
cache responses
  total-max-size 4
defaults
  mode http
  option http-server-close
  timeout connect 5s
  timeout client 60s
  timeout server 60s
frontend api
  bind 127.0.0.1:$PORT
  maxconn 500
  # fhdr is the whole value; hdr splits it at commas.
  acl authorized req.fhdr(Authorization) -m str "Bearer $API_KEY"
  $cache
  $foreign
  $user
  default_backend users
backend users
  server users unix@$DATA/users.sock
CONF
exec /usr/sbin/haproxy -q -db -f "$DATA/haproxy.cfg"
