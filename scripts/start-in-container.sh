#!/bin/sh
# Runs a command of the image. As root, it first gives the folder of the data to the user of the image, and drops root.
set -eu
user=1000
[ "$(id -u)" = 0 ] || exec "$@"
chown "$user:$user" "$DATA_DIR"
exec setpriv --reuid="$user" --regid="$user" --clear-groups --no-new-privs -- "$@"
