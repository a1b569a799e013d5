# Starts Apache with PHP in the foreground, with a configuration of its own in $DATA.
set -e
here=$(cd "$(dirname "$0")" && pwd)
php=$(ls /usr/lib/apache2/modules/libphp*.so | head -1)
cat >"$DATA/apache.conf" <<CONF
ServerRoot $DATA
ServerName localhost
PidFile $DATA/apache.pid
Listen 127.0.0.1:$PORT
ErrorLog /dev/null
LoadModule mpm_prefork_module /usr/lib/apache2/modules/mod_mpm_prefork.so
LoadModule authz_core_module /usr/lib/apache2/modules/mod_authz_core.so
LoadModule rewrite_module /usr/lib/apache2/modules/mod_rewrite.so
LoadModule setenvif_module /usr/lib/apache2/modules/mod_setenvif.so
LoadModule php_module $php
$([ "$(id -u)" = 0 ] && printf 'User www-data\nGroup www-data')
LoadModule env_module /usr/lib/apache2/modules/mod_env.so
PassEnv API_KEY MISTAKE DATA
DocumentRoot $here
<FilesMatch "\.php$">
  SetHandler application/x-httpd-php
</FilesMatch>
<Directory $here>
  Require all granted
</Directory>
SetEnvIf Authorization "(.*)" HTTP_AUTHORIZATION=\$1
RewriteEngine On
RewriteRule ^/v1/ $here/index.php [END]
CONF
chmod 777 "$DATA"
exec /usr/sbin/apache2 -f "$DATA/apache.conf" -DFOREGROUND
