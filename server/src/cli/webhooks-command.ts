import type { AppContext } from '../context.ts';
import { acceptCopy } from '../webhooks/sending/pause-copy.ts';
import { findSendingPause, pauseSending } from '../webhooks/sending/paused.ts';
import { resumeSending } from '../webhooks/sending/resume.ts';

/** `usher webhooks pause`. */
export async function runPause(app: AppContext): Promise<object> {
  await app.storage.write(null, (db) => pauseSending(db, { reason: 'paused by an operator', at: app.now() }));
  const pause = await findSendingPause(app.storage);
  return { webhooks: 'paused', reason: pause?.reason, next: 'usher webhooks resume sends what waits' };
}

/** `usher webhooks resume`. */
export async function runResume(app: AppContext, options: { 'skip-waiting'?: boolean }): Promise<object> {
  await acceptCopy(app);
  const pause = await findSendingPause(app.storage);
  if (!pause) return { webhooks: 'sending', note: 'they were not paused' };
  const skipped = await resumeSending(app, { skipsUntil: options['skip-waiting'] ? pause.at : undefined });
  return { webhooks: 'sending', ...(options['skip-waiting'] && { skipped_items: skipped }) };
}
