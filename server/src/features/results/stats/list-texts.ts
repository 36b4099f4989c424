import {
  askOf,
  type Document,
  type ExperienceKind,
  firstIdAt,
  Id,
  isNumeric,
  Nullable,
  OutputObject,
  readChoices,
  Timestamp,
  timeOfId,
  toTimestamp,
} from '@usher/domain';
import Type, { type Static } from 'typebox';
import type { Context } from '../../../context.ts';
import { type ListPage, MAX_PAGE_SIZE, type PageParameters } from '../../../db/pagination/list-page.ts';
import { loadNamedProfiles, NamedProfile } from '../../audience/profiles/named-profiles.ts';
import { getExperience } from '../../experiences/queries.ts';
import { answersIn, type DayParams, readDayRange } from './answers-in.ts';

/** What one user wrote to one question. */
export const AnswerText = OutputObject({
  /** The ID of the Response. */
  id: Id,
  created_at: Timestamp,
  step_id: Id,
  text: Type.String(),
  /** What the user chose before, if the question has both. */
  answer: Nullable(Type.String()),
  /** What the same user answered to the last question with a scale before this one, such as an NPS score. */
  score: Nullable(Type.Integer()),
  profile: NamedProfile,
});
type AnswerText = Static<typeof AnswerText>;

interface TextParams extends DayParams, PageParameters {
  step_id: string;
}

/** Lists what users wrote to one question, newest first. Every page is a range of an index. */
export async function listTexts(
  ctx: Context,
  kind: ExperienceKind,
  id: string,
  { step_id, from, until, limit: requested, before, after }: TextParams,
): Promise<{ texts: AnswerText[]; cursor: ListPage<unknown>['cursor'] }> {
  const { draft } = await getExperience(ctx, kind, id);
  const range = await readDayRange(ctx, { ...(from !== undefined && { from }), ...(until !== undefined && { until }) });
  const limit = Math.min(requested, MAX_PAGE_SIZE);
  let query = answersIn(ctx, id, range)
    .select(['response_id', 'profile_id', 'button_index', 'button_text', 'value', 'input', 'choices'])
    .where('step_id', '=', step_id)
    .where(({ eb, or, and }) =>
      or([
        eb('input', 'is not', null),
        // The other answer of a list is a value that is not an item.
        and([eb('value', 'is not', null), eb('button_index', 'is', null), eb('button_text', 'is', null)]),
      ]),
    )
    .orderBy('response_id', 'desc')
    .limit(limit + 1);
  if (before !== undefined)
    query = query.where('response_id', '<', typeof before === 'number' ? firstIdAt(before) : before);
  if (after !== undefined)
    query = query.where('response_id', '>', typeof after === 'number' ? firstIdAt(after + 1) : after);
  const rows = await query.execute();
  const hasMore = rows.length > limit;
  if (hasMore) rows.pop();
  const profiles = await loadNamedProfiles(
    ctx,
    rows.map(({ profile_id }) => profile_id),
  );
  const scores = await loadScores(
    ctx,
    findScale(draft, step_id),
    rows.map(({ response_id }) => response_id),
  );
  return {
    texts: rows.flatMap((row) => {
      const profile = profiles.get(row.profile_id);
      // The profile may be forgotten by now, and its answers with it.
      if (!profile) return [];
      const isOther = row.value !== null && row.button_index === null && row.button_text === null;
      return {
        id: row.response_id,
        created_at: toTimestamp(timeOfId(row.response_id)),
        step_id,
        text: row.input ?? row.value ?? '',
        answer: isOther ? null : (joinChoices(row.choices) ?? row.button_text ?? row.value),
        score: scores.get(row.response_id) ?? null,
        profile,
      };
    }),
    cursor: { limit, before: hasMore ? (rows.at(-1)?.response_id ?? null) : null },
  };
}

function joinChoices(choices: string | null): string | undefined {
  return readChoices(choices)
    ?.map(({ text }) => text)
    .join(', ');
}

/** The last question with a scale before a step. */
function findScale({ steps }: Document, stepId: string): string | undefined {
  const at = steps.findIndex(({ id }) => id === stepId);
  return steps.slice(0, Math.max(at, 0)).findLast(hasScale)?.id;
}

function hasScale(step: Document['steps'][number]): boolean {
  const ask = askOf(step);
  return ask !== undefined && isNumeric(ask);
}

/** The answers to a question with a scale, by the ID of the Response. */
async function loadScores(ctx: Context, stepId: string | undefined, responseIds: readonly string[]) {
  if (stepId === undefined || responseIds.length === 0) return new Map<string, number>();
  const rows = await ctx.heavyDb
    .selectFrom('answers')
    .select(['response_id', 'value'])
    .where('account_id', '=', ctx.account.id)
    .where('response_id', 'in', responseIds)
    .where('step_id', '=', stepId)
    .where('value', 'is not', null)
    .execute();
  return new Map(rows.map(({ response_id, value }) => [response_id, Number(value)]));
}
