import { Readable } from 'node:stream';
import { isPickOver, type PickOutput, type PickTimes, pickStateOf } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { FileResponse } from '../../../http/file-response.ts';
import { mayStillEdit } from './may-still-edit.ts';
import { presentPick } from './present-pick.ts';
import { getPick, picksOf } from './queries.ts';

/**
 * Sends a pick as an event now and after each change, until it is over. Between two checks, the stream holds no
 * connection to the database.
 */
export async function watchPick(ctx: Context, id: string): Promise<FileResponse> {
  await getPick(ctx, id);
  const close = ctx.app.pickStreams.open(ctx.actor.id);
  const events = Readable.from(writeEvents(ctx, id), { objectMode: false });
  events.once('close', close);
  return new FileResponse('text/event-stream', events, { headers: { 'x-accel-buffering': 'no' } });
}

async function* writeEvents(ctx: Context, id: string): AsyncGenerator<string> {
  const { pickStreams } = ctx.app;
  const { times: every } = pickStreams;
  const signal = ctx.request?.signal;
  const startedAt = performance.now();
  let sentAt = startedAt;
  let sent = '';
  yield 'retry: 1000\n\n';
  for (;;) {
    const times = await findTimes(ctx, id);
    // The request was checked when the stream began. Meanwhile its session may have ended, for example.
    if (!times || !(await mayStillEdit(ctx))) return;
    const state = pickStateOf(times, ctx.now());
    const version = `${state} ${times.result_at}`;
    const isQuiet = performance.now() - sentAt >= every.comment;
    if (version !== sent) yield formatEvent(presentPick(ctx, await getPick(ctx, id)));
    else if (isQuiet) yield ': still waiting\n\n';
    if (version !== sent || isQuiet) sentAt = performance.now();
    sent = version;
    const isTooLong = performance.now() - startedAt >= every.max;
    if (isPickOver(state) || isTooLong || pickStreams.isStopped || signal?.aborted) return;
    await pickStreams.wait(id, every.look, signal);
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
