import { indexOfAnswer, type Parts, type SentResponse, valueOfAnswer } from '@usher/domain';
import type { Context } from '../../context.ts';

interface Whose {
  profile_id: string;
  experience_id: string;
  showing_from: number;
}

/** One answer to a question in a showing: what is given later takes the place of what was given before. */
export async function storeResponse(
  ctx: Context,
  whose: Whose,
  question: Parts['steps'][number],
  given: SentResponse,
): Promise<void> {
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
    await ctx.db
      .insertInto('responses')
      .values({ ...ctx.newRow(), ...whose, step_id: question.id, ...answer })
      .execute();
    return;
  }
  if (Object.entries(answer).every(([name, value]) => known[name as keyof typeof known] === value)) return;
  await ctx.db
    .updateTable('responses')
    .set({ ...answer, updated_at: ctx.now() })
    .where('account_id', '=', ctx.account.id)
    .where('id', '=', known.id)
    .execute();
}

/** A comment can come after the answer, and leaves it as it is. */
function answerOf(question: Parts['steps'][number], given: SentResponse) {
  const { button_id = null, input = null } = given;
  const value = valueOfAnswer(question, given);
  const chosen = { button_id, value, button_index: indexOfAnswer(question, given) };
  return { ...((button_id !== null || value !== null) && chosen), ...(input !== null && { input }) };
}
