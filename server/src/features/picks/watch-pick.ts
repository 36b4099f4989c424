import { Readable } from 'node:stream';
import { isPickOver, type PickOutput, type PickTimes, pickStateOf } from '@usher/domain';
import type { Context } from '../../context.ts';
import { FileResponse } from '../../http/file-response.ts';
import { getPick, picksOf, presentPick } from './queries.ts';

const LOOK_INTERVAL_MS = 1000;
/** Proxies close a connection on which nothing is sent for a while. */
const COMMENT_INTERVAL_MS = 15_000;
/** Browsers connect again by themselves. By then, the session may have ended. */
const MAX_STREAM_MS = 5 * 60_000;

/** Sends a pick as an event now and after each change, until it is over. Between looks, it holds no connection to the database. */
export async function watchPick(ctx: Context, id: string): Promise<FileResponse> {
  await getPick(ctx, id);
  const close = ctx.app.pickStreams.open(ctx.actor.id);
  const events = Readable.from(writeEvents(ctx, id), { objectMode: false });
  events.once('close', close);
  return new FileResponse('text/event-stream', events, { headers: { 'x-accel-buffering': 'no' } });
}

async function* writeEvents(ctx: Context, id: string): AsyncGenerator<string> {
  const { pickStreams } = ctx.app;
  const signal = ctx.request?.signal;
  const startedAt = performance.now();
  let sentAt = startedAt;
  let sent = '';
  yield 'retry: 1000\n\n';
  for (;;) {
    const times = await findTimes(ctx, id);
    if (!times) return;
    const state = pickStateOf(times, ctx.now());
    const version = `${state} ${times.result_at}`;
    const isQuiet = performance.now() - sentAt >= COMMENT_INTERVAL_MS;
    if (version !== sent) yield formatEvent(presentPick(ctx, await getPick(ctx, id)));
    else if (isQuiet) yield ': still waiting\n\n';
    if (version !== sent || isQuiet) sentAt = performance.now();
    sent = version;
    const isTooLong = performance.now() - startedAt >= MAX_STREAM_MS;
    if (isPickOver(state) || isTooLong || pickStreams.isStopped || signal?.aborted) return;
    await pickStreams.wait(id, LOOK_INTERVAL_MS, signal);
  }
}

function formatEvent(pick: PickOutput): string {
  return `event: pick\ndata: ${JSON.stringify({ pick })}\n\n`;
}

/** A result can be large, so it is read only when it is new. */
function findTimes(ctx: Context, id: string): Promise<PickTimes | undefined> {
  return picksOf(ctx)
    .clearSelect()
    .select(['expires_at', 'opened_at', 'result_at', 'ended_at'])
    .where('id', '=', id)
    .executeTakeFirst();
}
