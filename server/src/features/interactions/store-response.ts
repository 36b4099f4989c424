import { indexOfAnswer, type Parts, type SentResponse, valueOfAnswer } from '@usher/domain';
import type { Context } from '../../context.ts';

interface Whose {
  profile_id: string;
  experience_id: string;
  showing_from: number;
}

/**
 * One answer to a question in a showing: what is given later takes the place of what was given before. Answers its ID
 * where that is something new.
 */
export async function storeResponse(
  ctx: Context,
  whose: Whose,
  question: Parts['steps'][number],
  given: SentResponse,
): Promise<string | undefined> {
  const known = await ctx.db
    .selectFrom('responses')
    .select(['id', 'button_id', 'button_index', 'value', 'input'])
    .where('account_id', '=', ctx.account.id)
    .where('profile_id', '=', whose.profile_id)
    .where('experience_id', '=', whose.experience_id)
    .where('step_id', '=', question.id)
    .where('showing_from', '=', whose.showing_from)
    .executeTakeFirst();
  const answer = answerOf(question, given);
  if (!known) {
    const { newRow, tick: updated_tick } = await ctx.clock();
    const row = { ...newRow(), updated_tick, ...whose, step_id: question.id, ...answer };
    await ctx.db.insertInto('responses').values(row).execute();
    return row.id;
  }
  if (Object.entries(answer).every(([name, value]) => known[name as keyof typeof known] === value)) return undefined;
  const { at: updated_at, tick: updated_tick } = await ctx.clock();
  await ctx.db
    .updateTable('responses')
    .set({ ...answer, updated_at, updated_tick })
    .where('account_id', '=', ctx.account.id)
    .where('id', '=', known.id)
    .execute();
  return known.id;
}

/** A comment can come after the answer, and leaves it as it is. */
function answerOf(question: Parts['steps'][number], given: SentResponse) {
  const { button_id = null, input = null } = given;
  const value = valueOfAnswer(question, given);
  const chosen = { button_id, value, button_index: indexOfAnswer(question, given) };
  return { ...((button_id !== null || value !== null) && chosen), ...(input !== null && { input }) };
}
