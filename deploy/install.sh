#!/bin/sh
# Installs Usher as a service of systemd, or updates it. Run it as root:
#
#   sh deploy/install.sh                                  asks for the domain
#   sh deploy/install.sh --domain usher.example.com --yes
#   sh deploy/install.sh --from PATH                      a folder or a tarball of the project, or of the package usher-server
#   sh deploy/install.sh --remove [--purge]               keeps the data and the settings, unless they are purged
#
# Without --from it installs the package usher-server from npm. It can run again: settings, keys and data stay as they are.
set -eu

program=/opt/usher
settings=/etc/usher
data=/var/lib/usher
backups=/var/backups/usher
units=/etc/systemd/system
here=$(cd "$(dirname "$0")" && pwd)

domain='' from='' version=latest yes='' remove='' purge=''

fail() {
  echo "install.sh: $1" >&2
  exit 1
}

usage() {
  sed -n '2,9s/^# \{0,1\}//p' "$0"
}

while [ $# -gt 0 ]; do
  case $1 in
    --domain) [ $# -gt 1 ] || fail '--domain needs a name, such as usher.example.com'; domain=$2; shift ;;
    --from) [ $# -gt 1 ] || fail '--from needs a folder or a tarball'; from=$2; shift ;;
    --version) [ $# -gt 1 ] || fail '--version needs a version of usher-server'; version=$2; shift ;;
    --yes) yes=1 ;;
    --remove) remove=1 ;;
    --purge) purge=1 ;;
    --help | -h) usage; exit 0 ;;
    *) fail "unknown option $1: see --help" ;;
  esac
  shift
done

[ "$(id -u)" = 0 ] || fail 'run it as root, for example with sudo'
[ -z "$purge" ] || [ -n "$remove" ] || fail '--purge belongs to --remove'

# In a chroot or a container systemd may be installed and not run.
systemd_runs() { [ -d /run/systemd/system ]; }

ask() {
  [ -z "$yes" ] || return 0
  [ -t 0 ] || fail "$1 Add --yes if nobody can answer"
  printf '%s [y/N] ' "$1"
  read -r answer
  case $answer in y | Y | yes) ;; *) fail 'nothing was changed' ;; esac
}

remove_all() {
  [ -z "$purge" ] || ask "Delete all data, settings, keys and backups of Usher ($data, $settings, $backups)?"
  if systemd_runs; then systemctl disable --now usher.service usher-backup.timer 2>/dev/null || true; fi
  rm -rf "$units/usher.service" "$units/usher.service.d" "$units/usher-backup.service" "$units/usher-backup.timer"
  rm -f "$units/multi-user.target.wants/usher.service" "$units/timers.target.wants/usher-backup.timer" /usr/local/bin/usher
  rm -rf "$program" "$program.new" "$program.old"
  if systemd_runs; then systemctl daemon-reload; fi
  if [ -n "$purge" ]; then
    rm -rf "$data" "$settings" "$backups"
    if id usher >/dev/null 2>&1; then userdel usher; fi
    echo 'Usher, its data and its settings are removed.'
  else
    echo "Usher is removed. Its data is in $data and $backups, its settings and its master key are in $settings."
  fi
}

# The service sees no home folder, so a Node of one user does not work.
find_node() {
  node=$(command -v node) || fail 'Node is missing. docs/deploy.md says how to get it: version 24, or 20.19 and newer'
  node=$(readlink -f "$node")
  case $node in /home/* | /root/*) fail "$node is in a home folder, which the service cannot see: install Node for all users" ;; esac
  "$node" -e 'const [a, b] = process.versions.node.split(".").map(Number); process.exit(a > 20 || (a === 20 && b >= 19) ? 0 : 1)' ||
    fail "Node $("$node" --version) is too old: 20.19 or newer is needed, and 24 is best (docs/deploy.md)"
  command -v npm >/dev/null || fail 'npm is missing: install the package npm, or Node from nodejs.org'
}

# Prints the name in a package.json.
name_in() {
  "$node" -p 'JSON.parse(require("fs").readFileSync(process.argv[1], "utf8")).name' "$1/package.json"
}

install_package() {
  mkdir -p "$program.new"
  (cd "$program.new" && npm install --omit=dev --no-audit --no-fund --loglevel=error --prefix "$program.new" "$1")
}

# Builds a copy, so that the version that runs stays until the new one is complete.
install_sources() {
  mkdir -p "$program.new"
  (cd "$1" && tar -cf - --exclude=./node_modules --exclude=./.git --exclude='./*/node_modules' --exclude=./deploy/secrets .) |
    (cd "$program.new" && tar -xf - --no-same-owner)
  (cd "$program.new" && npm ci --omit=dev --no-audit --no-fund --loglevel=error && "$node" scripts/build.mjs)
}

install_folder() {
  [ -f "$1/package.json" ] || fail "$1 has no package.json: give a folder of the project"
  case $(name_in "$1") in
    usher) install_sources "$1" ;;
    usher-server)
      packed=$(cd "$1" && npm pack --silent --ignore-scripts --pack-destination "$work")
      install_package "$work/$packed"
      ;;
    *) fail "$1 is not a folder of Usher" ;;
  esac
}

install_program() {
  work=$(mktemp -d)
  trap 'rm -rf "$work" "$program.new"' EXIT
  rm -rf "$program.new"
  if [ -z "$from" ]; then
    install_package "usher-server@$version"
  elif [ -d "$from" ]; then
    install_folder "$(cd "$from" && pwd)"
  elif [ -f "$from" ]; then
    mkdir "$work/unpacked"
    tar -xf "$from" -C "$work/unpacked" --no-same-owner
    # A tarball has one folder, or the files themselves.
    inner=$(find "$work/unpacked" -maxdepth 2 -name package.json | head -n 1)
    [ -n "$inner" ] || fail "$from has no package.json: give a tarball of the project, or of usher-server"
    if [ "$(name_in "$(dirname "$inner")")" = usher-server ]; then
      install_package "$(readlink -f "$from")"
    else
      install_folder "$(dirname "$inner")"
    fi
  else
    fail "$from does not exist"
  fi
  inside=''
  [ -d "$program.new/node_modules/usher-server" ] && inside=/node_modules/usher-server
  [ -f "$program.new$inside/server/dist/main.js" ] || fail 'the build has no server: see the lines above'
  chmod -R u+rwX,go+rX,go-w "$program.new"
  rm -rf "$program.old"
  [ ! -e "$program" ] || mv "$program" "$program.old"
  mv "$program.new" "$program"
  rm -rf "$program.old"
  main=$program$inside/server/dist/main.js
  # The units are beside this script, or in the package.
  templates=$here/systemd
  [ -d "$templates" ] || templates=$program$inside/deploy/systemd
  [ -f "$templates/usher.service" ] || fail "the units are missing: $templates"
}

write_settings() {
  install -d -o root -g usher -m 750 "$settings"
  if [ ! -e "$settings/master.key" ]; then
    (umask 077 && head -c 32 /dev/urandom | base64 >"$settings/master.key")
    chown root:usher "$settings/master.key"
    chmod 640 "$settings/master.key"
  fi
  env=$settings/usher.env
  if [ ! -e "$env" ]; then
    if [ -n "$domain" ]; then
      # The server is in front itself: no proxy, and the ports of HTTP and HTTPS.
      sed -e '/^HOST=/d' -e '/^PORT=/d' -e '/^# The proxy/d' -e '/^USHER_TRUST_PROXY=/d' -e '/^USHER_REQUIRE_HTTPS=/d' \
        -e "s|^USHER_PUBLIC_URL=.*|USHER_DOMAIN=$domain|" "$templates/usher.env" >"$env.new"
    else
      sed -e '/^USHER_PUBLIC_URL=/s/^/# /' "$templates/usher.env" >"$env.new"
    fi
    sed -i -e 's|^# USHER_BACKUP_TO=|USHER_BACKUP_TO=|' "$env.new"
    install -o root -g usher -m 640 "$env.new" "$env"
    rm "$env.new"
  elif [ -n "$domain" ]; then
    if grep -q '^USHER_DOMAIN=' "$env"; then
      sed -i "s|^USHER_DOMAIN=.*|USHER_DOMAIN=$domain|" "$env"
    elif grep -qE '^(HOST|PORT|USHER_PUBLIC_URL|USHER_TRUST_PROXY)=' "$env"; then
      fail "$env is for a server behind a proxy: remove HOST, PORT, USHER_PUBLIC_URL and USHER_TRUST_PROXY there, add USHER_DOMAIN=$domain, and run this again"
    else
      echo "USHER_DOMAIN=$domain" >>"$env"
    fi
  fi
  install -d -o usher -g usher -m 700 "$data" "$backups"
  # The server makes backups only in a folder that is marked: a disk that is not mounted is not.
  [ -e "$backups/.usher-backups" ] || install -o usher -g usher -m 600 /dev/null "$backups/.usher-backups"
}

write_units() {
  for unit in usher.service usher-backup.service usher-backup.timer; do
    sed -e "s|/usr/bin/node|$node|" -e "s|/opt/usher/server/dist/main.js|$main|" -e "s|file:/opt/usher/|file:$program$inside/|" \
      "$templates/$unit" >"$units/$unit"
  done
  rm -rf "$units/usher.service.d/https.conf"
  if grep -q '^USHER_DOMAIN=.' "$settings/usher.env"; then
    mkdir -p "$units/usher.service.d"
    cp "$templates/https.conf" "$units/usher.service.d/https.conf"
  fi
  cat >/usr/local/bin/usher <<END
#!/bin/sh
# Runs a command of Usher as its user, with the settings of the service.
[ "\$(id -u)" = 0 ] || exec sudo "\$0" "\$@"
cd $data
exec runuser -u usher -- env NODE_ENV=production USHER_DATA=$data "$node" --env-file=$settings/usher.env $main "\$@"
END
  chmod 755 /usr/local/bin/usher
}

start() {
  if ! systemd_runs; then
    mkdir -p "$units/multi-user.target.wants" "$units/timers.target.wants"
    ln -sf "$units/usher.service" "$units/multi-user.target.wants/usher.service"
    ln -sf "$units/usher-backup.timer" "$units/timers.target.wants/usher-backup.timer"
    echo 'systemd does not run here: Usher starts with the next boot.'
    return
  fi
  systemctl daemon-reload
  systemctl enable --quiet usher.service
  systemctl enable --quiet --now usher-backup.timer
  systemctl restart usher.service
  echo 'Usher runs. The link to sign in for the first time is in its log: journalctl -u usher -n 30'
}

if [ -n "$remove" ]; then
  remove_all
  exit 0
fi

find_node
if [ -z "$domain" ] && [ -z "$yes" ] && [ ! -e "$settings/usher.env" ] && [ -t 0 ]; then
  printf 'The domain of this server, such as usher.example.com (empty: only this machine reaches it, at port 3400): '
  read -r domain
fi
case $domain in *[!A-Za-z0-9.,-]*) fail "$domain is not a domain" ;; esac
id usher >/dev/null 2>&1 || useradd --system --user-group --home-dir "$data" --no-create-home --shell /usr/sbin/nologin usher
install_program
write_settings
write_units
start
echo "Settings: $settings/usher.env   Keep a copy of $settings/master.key elsewhere.   Backups: $backups   Check: usher doctor"
