import type { Kind, Paint } from '../kind.ts';

/** Tells the core that a kind has been loaded. */
export function register(kind: Kind, paint: Paint): void {
  (globalThis as unknown as { usher: { kind(kind: Kind, paint: Paint): void } }).usher.kind(kind, paint);
}
