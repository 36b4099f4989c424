import {
  listResultProblems,
  MAX_PICK_RESULT,
  nextUpdatedAt,
  type PickPurpose,
  type PickState,
  pickStateOf,
  type SavePickLooks,
  type SavePickResult,
  withoutForeignAttribute,
} from '@usher/domain';
import { forbidden, invalid } from '../../../errors.ts';
import type { PickRequest } from '../../../pages/page-request.ts';
import { readPage } from './page.ts';

/** Stores what was picked. The editor offers the result, and changes nothing automatically. The last result counts. */
export async function saveResult(page: PickRequest, { href, title, result }: SavePickResult): Promise<PickStateName> {
  checkPurpose(page, 'pick', 'event');
  const problems = listResultProblems(result);
  if (problems.length > 0) throw invalid(...problems);
  const text = JSON.stringify(withoutForeignAttribute(result));
  if (Buffer.byteLength(text) > MAX_PICK_RESULT)
    throw invalid(`\`result\` must be at most ${MAX_PICK_RESULT / 1024} KB of JSON`);
  return storeResult(page, { href, title, text });
}

/** Stores how the page looks, for a theme. The editor offers it, and changes nothing automatically. */
export async function saveLooks(page: PickRequest, { href, title, looks }: SavePickLooks): Promise<PickStateName> {
  checkPurpose(page, 'theme');
  return storeResult(page, { href, title, text: JSON.stringify(looks) });
}

interface PickStateName {
  state: PickState;
}

const uses: Record<PickPurpose, string> = {
  pick: 'for picking an element',
  try: 'for trying a draft',
  theme: 'for taking a theme',
  event: 'for picking an element',
};

/** A token does one thing. */
function checkPurpose({ pick, limits }: PickRequest, ...allowed: [PickPurpose, ...PickPurpose[]]): void {
  const [purpose] = allowed;
  if (!allowed.includes(pick.purpose)) throw forbidden(`This token is ${uses[pick.purpose]}, and not ${uses[purpose]}`);
  limits.countResult(pick.id);
}

async function storeResult(
  { ctx, pick }: PickRequest,
  { href, title = '', text }: { href: string; title: string | undefined; text: string },
): Promise<PickStateName> {
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
