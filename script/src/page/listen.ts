import type { Cleanup } from '../kind.ts';
import { safely } from './safely.ts';

/** Adds an event listener. An error that the handler throws does not reach the page. */
export function listen(target: EventTarget, type: string, handler: (event: Event) => void): Cleanup {
  const safeHandler = (event: Event) => safely(() => handler(event));
  target.addEventListener(type, safeHandler);
  return () => target.removeEventListener(type, safeHandler);
}
