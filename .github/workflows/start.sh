#!/usr/bin/env bash
# Starts the host as a person would, waits until it answers, and stops it: exit code 0 when all of that works.
set -euo pipefail
cd "$(dirname "$0")/../.."
port="${PORT:-7700}"
npm start -- --port "$port" &
host=$!
trap 'kill "$host" 2>/dev/null || true' EXIT
for _ in $(seq 600); do
  if curl --fail --silent --output /dev/null "http://127.0.0.1:$port/readyz"; then
    curl --fail --silent "http://127.0.0.1:$port/" | grep -qi '<!doctype html>'
    kill -TERM "$host"
    trap - EXIT
    wait "$host"
    exit
  fi
  kill -0 "$host" 2>/dev/null || { echo 'The host has ended before it answered.' >&2; exit 1; }
  sleep 1
done
echo 'The host did not answer within ten minutes.' >&2
exit 1
