import { safely } from '../page/safely.ts';
import type { Calls } from './create-calls.ts';

/**
 * The order in which queued calls are made: each has a list of its own, so nothing says in which order the page has made them. The
 * user comes first, and handlers come before what they are called for. Signing out comes before all: a page that has signed
 * somebody out and somebody in must not lose the second user.
 */
const order = ['clear', 'identify', 'alias', 'set', 'on', 'off', 'track', 'show', 'custom', 'help'] as const;
/** More arguments than any call has. */
const MAX_ARGUMENTS = 5;

/** Makes the calls in the lists of the snippet, `identify_a` and so on, and from now on all calls that are added to them. */
export function drainQueue(queue: Record<string, unknown>, calls: Calls): void {
  for (const name of order)
    safely(() => {
      const list = queue[`${name}_a`];
      if (!Array.isArray(list)) return;
      const make = (args: unknown) => {
        // An `arguments` object is no array. A list of any length would take long to copy.
        if (typeof args === 'object' && args)
          safely(() => calls[name](...Array.prototype.slice.call(args, 0, MAX_ARGUMENTS)));
      };
      const waiting = [...list];
      safely(() => {
        // Code of the page that has kept a function of the snippet still adds to the list.
        list.push = (...added: unknown[]) => {
          added.forEach(make);
          return 0;
        };
        list.length = 0;
      });
      waiting.forEach(make);
    });
}
