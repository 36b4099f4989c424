import { nounOf } from './nouns.ts';

type Listener = (changed: ReadonlySet<string>) => void;
const listeners = new Set<Listener>();

/** Calls a function after each request of this tab that has changed something. Returns a function that stops it. */
export function onWrite(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function announceWrite(operation: string, params: object): void {
  if (operation.startsWith('GET ')) return;
  const changed = changedBy(operation, params);
  for (const listener of listeners) listener(changed);
}

/**
 * What a request changes: its noun with each ID, such as `urls/6af9…`, or only the noun if the record exists once, such
 * as `account`.
 */
export function changedBy(operation: string, params: object): ReadonlySet<string> {
  const noun = nounOf(operation);
  const { id, ids: several }: { id?: unknown; ids?: unknown } = params;
  const ids = Array.isArray(several) ? several : id === undefined ? [] : [id];
  return new Set(ids.length === 0 ? [noun] : ids.map((id) => `${noun}/${id}`));
}
