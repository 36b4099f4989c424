import { dayOf } from '@usher/domain';
import type { AppContext } from './context.ts';

/** Runs the work once a day, however often it is called. After it has failed, the next call runs it again. */
export function onceADay({ now }: Pick<AppContext, 'now'>, work: () => Promise<void>): () => Promise<void> {
  let doneOn: number | undefined;
  return async () => {
    const today = dayOf(now());
    if (today === doneOn) return;
    await work();
    doneOn = today;
  };
}
