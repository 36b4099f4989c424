import {
  type AnswerInput,
  askOf,
  dayOf,
  type ExperienceParts,
  findQuestionOrder,
  isNumeric,
  type Millis,
  measureRow,
  timeOfId,
  toStoredAnswer,
} from '@usher/domain';
import type { Context } from '../../../context.ts';
import type { Stored } from '../../../pages/page-counts.ts';
import { type ResponseRow, storeScores, writeSegmentIds } from '../../results/responses/queries.ts';

/** Identifies a Response: a user has one for each showing of a survey. */
interface Showing {
  profile_id: string;
  experience_id: string;
  showing_from: Millis;
}

interface ReportedAnswer {
  question: ExperienceParts['steps'][number];
  parts: ExperienceParts;
  response: AnswerInput;
  href: string | null;
  link_id: string | null;
  /** In which the survey is shown; empty for its own. */
  language: string;
  /** The Segments of the user whose Responses the survey counts. */
  segmentIds: readonly string[];
  /** Of the account. */
  timeZone: string;
}

const MAX_HREF = 2000;

/**
 * Adds an answer to the Response of a showing. While the Response is open, a later answer to the same step replaces the
 * earlier one. Once it is finished, its answers stay as they are, but an answer that arrives late is still added. Returns
 * how many Responses were created, and the room that everything takes in addition.
 */
export async function storeAnswer(
  ctx: Context,
  showing: Showing,
  { question, parts, response, href, link_id, language, segmentIds, timeZone }: ReportedAnswer,
): Promise<Stored> {
  const found = await findResponse(ctx, showing);
  const { id, finished_at } =
    found ??
    (await createResponse(ctx, showing, {
      href: href?.slice(0, MAX_HREF) ?? null,
      link_id,
      language,
      segment_ids: writeSegmentIds(segmentIds),
    }));
  const known = found && (await findAnswer(ctx, id, question.id));
  if (known && finished_at !== null) return nothing;
  const answer = toStoredAnswer(question, response);
  if (!known) {
    const { profile_id, experience_id } = showing;
    const question_order = findQuestionOrder(question, parts);
    const place = { response_id: id, step_id: question.id, question_order, day: dayOf(timeOfId(id), timeZone) };
    await ctx.db
      .insertInto('answers')
      .values({ account_id: ctx.account.id, ...place, profile_id, experience_id, ...answer })
      .execute();
  } else {
    if (Object.entries(answer).every(([name, value]) => known[name as keyof typeof known] === value)) return nothing;
    await ctx.db
      .updateTable('answers')
      .set(answer)
      .where('account_id', '=', ctx.account.id)
      .where('response_id', '=', id)
      .where('step_id', '=', question.id)
      .execute();
  }
  const ask = askOf(question);
  if (ask && isNumeric(ask)) await storeScores(ctx, [id]);
  const bytes = measureAnswer(answer) - (known ? measureAnswer(known) : 0);
  if (!found) return { records: 1, bytes: bytes + measureRow('response', { plain: [href?.slice(0, MAX_HREF)] }) };
  const { at: updated_at, tick: updated_tick } = await ctx.clock();
  await ctx.db
    .updateTable('responses')
    .set({ updated_at, updated_tick })
    .where('account_id', '=', ctx.account.id)
    .where('id', '=', id)
    .execute();
  return { records: 0, bytes: Math.max(0, bytes) };
}

const nothing: Stored = { records: 0, bytes: 0 };

function measureAnswer({ button_text, value, input, choices }: ReturnType<typeof toStoredAnswer>): number {
  return measureRow('answer', { plain: [button_text, value, input, choices] });
}

/** Finishes the Response of a showing that has ended. Returns its ID, unless there is none or it was finished before. */
export async function finishResponse(ctx: Context, showing: Showing): Promise<string | undefined> {
  // When there is nothing to finish, the clock is not taken. The profile is locked, so this does not change meanwhile.
  const open = await findResponse(ctx, showing);
  if (!open || open.finished_at !== null) return undefined;
  const { at: updated_at, tick: updated_tick } = await ctx.clock();
  await ctx.db
    .updateTable('responses')
    .set({ finished_at: updated_at, updated_at, updated_tick })
    .where('account_id', '=', ctx.account.id)
    .where('id', '=', open.id)
    .execute();
  return open.id;
}

function findResponse(ctx: Context, { profile_id, experience_id, showing_from }: Showing) {
  return ctx.db
    .selectFrom('responses')
    .select(['id', 'finished_at'])
    .where('account_id', '=', ctx.account.id)
    .where('profile_id', '=', profile_id)
    .where('experience_id', '=', experience_id)
    .where('showing_from', '=', showing_from)
    .executeTakeFirst();
}

async function createResponse(
  ctx: Context,
  showing: Showing,
  page: Pick<ResponseRow, 'href' | 'link_id' | 'language' | 'segment_ids'>,
) {
  const { newRow, tick: updated_tick } = await ctx.clock();
  const row = { ...newRow(), updated_tick, ...showing, ...page };
  await ctx.db.insertInto('responses').values(row).execute();
  return { id: row.id, finished_at: null };
}

function findAnswer(ctx: Context, responseId: string, stepId: string) {
  return ctx.db
    .selectFrom('answers')
    .select(['button_id', 'button_index', 'button_text', 'value', 'input', 'choices'])
    .where('account_id', '=', ctx.account.id)
    .where('response_id', '=', responseId)
    .where('step_id', '=', stepId)
    .executeTakeFirst();
}
