import { useSyncExternalStore } from 'react';

/** `lost`: no response at all. `unavailable`: the server responds, but its database does not. */
export type Connection = 'ok' | 'lost' | 'unavailable';

const FIRST_CHECK_MS = 2_000;
const MAX_CHECK_MS = 30_000;

const listeners = new Set<() => void>();
let state: Connection = 'ok';
let delay = FIRST_CHECK_MS;
let timer: ReturnType<typeof setTimeout> | undefined;

export function setConnection(next: Connection): void {
  if (next === state) return;
  state = next;
  clearTimeout(timer);
  timer = undefined;
  delay = FIRST_CHECK_MS;
  if (next !== 'ok') checkLater();
  for (const listener of listeners) listener();
}

/** Checks the connection now, and again later if the server still does not respond. */
export async function checkConnection(): Promise<void> {
  const response = await fetch('/readyz', { cache: 'no-store' }).catch(() => undefined);
  if (response?.ok) setConnection('ok');
  else if (state !== 'ok') checkLater();
}

function checkLater(): void {
  clearTimeout(timer);
  timer = setTimeout(checkConnection, delay);
  delay = Math.min(delay * 2, MAX_CHECK_MS);
}

/** Calls the listener when the connection is lost or restored. Returns a function that stops it. */
export function onConnectionChange(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

export function currentConnection(): Connection {
  return state;
}

export function useConnection(): Connection {
  return useSyncExternalStore(onConnectionChange, currentConnection);
}
