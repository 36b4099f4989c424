import { createdAtOf, listKindsWith, type StoredAnswer, toTimestamp } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { listPage } from '../../../db/pagination/list-page.ts';
import { streamCsv, toCsvRow } from '../../../http/csv.ts';
import type { FileResponse } from '../../../http/file-response.ts';
import { ROWS_PER_CHUNK } from '../../../http/stream-file.ts';
import { loadNamedProfiles } from '../../audience/profiles/named-profiles.ts';
import { checkExperience, getAnyExperience } from '../../experiences/queries.ts';
import { type DayParams, readDayRange, responseIdsIn } from '../stats/answers-in.ts';
import { type CountedStep, listCountedSteps } from '../stats/list-counted-steps.ts';
import { answersById } from './queries.ts';

/** Downloads the Responses to a survey, newest first, with two columns for each question: what was chosen, and written. */
export async function exportResponses(
  ctx: Context,
  { id, ...params }: DayParams & { id: string },
): Promise<FileResponse> {
  await checkExperience(ctx, id, ...listKindsWith('asks'));
  const row = await getAnyExperience(ctx, id);
  const ids = responseIdsIn(await readDayRange(ctx, params));
  const questions = (await listCountedSteps(ctx, row)).filter(isQuestion);
  async function* write(ctx: Context): AsyncGenerator<string> {
    yield toCsvRow([...columns, ...questions.flatMap(questionColumns)]);
    for (let before: string | null = ids.before; before !== null; ) {
      const { rows, cursor }: Awaited<ReturnType<typeof readPage>> = await readPage(ctx, before);
      const answers = await answersById(
        ctx,
        rows.map(({ id }) => id),
      );
      const profiles = await loadNamedProfiles(
        ctx,
        rows.map(({ profile_id }) => profile_id),
      );
      for (const row of rows) {
        const { uid, email, name } = profiles.get(row.profile_id) ?? {};
        const times = [createdAtOf(row), row.finished_at].map((time) => (time === null ? null : toTimestamp(time)));
        const cells = questions.flatMap((question) => answerCells(question, answers.get(row.id) ?? []));
        yield toCsvRow([row.id, ...times, uid, email, name, row.href, ...cells]);
      }
      before = cursor.before;
    }
  }
  const readPage = (ctx: Context, before: string) =>
    listPage(
      ctx.db
        .selectFrom('responses')
        .selectAll()
        .where('account_id', '=', ctx.account.id)
        .where('experience_id', '=', id)
        .where('id', '>=', ids.from),
      { limit: ROWS_PER_CHUNK, before },
    );
  return streamCsv(ctx, 'responses.csv', write);
}

const columns = ['id', 'created_at', 'finished_at', 'uid', 'email', 'name', 'href'];

function isQuestion({ preset }: CountedStep): boolean {
  return preset !== null && preset !== 'thank_you';
}

function questionColumns({ title }: CountedStep, index: number): string[] {
  const name = `${index + 1}. ${title ?? ''}`.trim();
  return [name, `${name} (text)`];
}

function answerCells({ id }: CountedStep, answers: readonly StoredAnswer[]): [string | null, string | null] {
  const answer = answers.find(({ step_id }) => step_id === id);
  if (!answer) return [null, null];
  const { button_index, button_text, value, input } = answer;
  const isOther = value !== null && button_index === null && button_text === null;
  return isOther ? [null, input ?? value] : [button_text ?? value, input];
}
