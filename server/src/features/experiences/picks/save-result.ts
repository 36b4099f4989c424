import {
  listResultProblems,
  MAX_PICK_RESULT,
  nextUpdatedAt,
  type PickState,
  pickStateOf,
  type SavePickResult,
  withoutForeignAttribute,
} from '@usher/domain';
import { forbidden, invalid } from '../../../errors.ts';
import type { PickRequest } from '../../../pages/page-request.ts';
import { readPage } from './page.ts';

/** Stores what was picked. The editor offers the result, and changes nothing automatically. The last result counts. */
export async function saveResult(
  { ctx, pick, limits }: PickRequest,
  { href, title = '', result }: SavePickResult,
): Promise<{ state: PickState }> {
  if (pick.purpose !== 'pick') throw forbidden('This token is for trying a draft, so nothing can be picked with it');
  limits.countResult(pick.id);
  const problems = listResultProblems(result);
  if (problems.length > 0) throw invalid(...problems);
  const text = JSON.stringify(withoutForeignAttribute(result));
  if (Buffer.byteLength(text) > MAX_PICK_RESULT)
    throw invalid(`\`result\` must be at most ${MAX_PICK_RESULT / 1024} KB of JSON`);
  const page = readPage(pick, href, title);
  // The editor that watches the pick recognizes a new result by this time.
  const resultAt = nextUpdatedAt(pick.result_at ?? 0, ctx.now());
  const row = await ctx.transaction((ctx) =>
    ctx.db
      .updateTable('picks')
      .set({ page: JSON.stringify(page), result: text, result_at: resultAt })
      .where('account_id', '=', ctx.account.id)
      .where('id', '=', pick.id)
      .where('ended_at', 'is', null)
      .returning(['expires_at', 'opened_at', 'result_at', 'ended_at'])
      .executeTakeFirst(),
  );
  if (!row) throw forbidden('This pick has ended: go back to Usher and start again there');
  ctx.app.pickStreams.wake(pick.id);
  return { state: pickStateOf(row, ctx.now()) };
}
