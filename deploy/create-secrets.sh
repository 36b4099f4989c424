#!/bin/sh
# Creates the secrets of compose.yaml in deploy/secrets, and the settings in deploy/usher.env. What exists stays as it is.
set -eu
cd "$(dirname "$0")"
mkdir -p secrets
# No one else can enter the folder. The files in it must be readable for the user in the container.
chmod 700 secrets
umask 022
[ -e secrets/master_key ] || openssl rand -base64 32 > secrets/master_key
[ -e secrets/postgres_password ] || openssl rand -hex 24 > secrets/postgres_password
[ -e secrets/database_url ] ||
  echo "postgres://usher:$(cat secrets/postgres_password)@postgres:5432/usher" > secrets/database_url
# It may get the keys of S3, and only Docker reads it.
[ -e usher.env ] || (umask 077 && cp usher.env.example usher.env)
chmod 600 usher.env
echo "deploy/secrets has master_key, postgres_password and database_url. Keep a copy of master_key elsewhere."
echo "Now set USHER_DOMAIN in deploy/usher.env."
