import {
  askOf,
  createdAtOf,
  listKindsWith,
  normalizeKey,
  type ResponseFilters,
  readChoices,
  responseSourceOf,
  type StoredAnswer,
  startOfDay,
  toTimestamp,
} from '@usher/domain';
import type { Context } from '../../../context.ts';
import type { OrderedPage } from '../../../db/pagination/ordered-page.ts';
import { streamCsv, toCsvRow } from '../../../http/csv.ts';
import type { FileResponse } from '../../../http/file-response.ts';
import { ROWS_PER_CHUNK } from '../../../http/stream-file.ts';
import { loadNamedProfiles } from '../../audience/profiles/named-profiles.ts';
import { checkExperience, getAnyExperience } from '../../experiences/queries.ts';
import { readDayRange } from '../stats/answers-in.ts';
import { type CountedStep, listCountedSteps } from '../stats/list-counted-steps.ts';
import { findResponses } from './find-responses.ts';
import { type DetailParams, loadDetails } from './present-responses.ts';
import { answersById, type ResponseRow } from './queries.ts';
import { selectResponses } from './select-responses.ts';

/**
 * Downloads the Responses to a survey that match, newest first, with two columns for each question: what was chosen, and written. With
 * details, the score, language and Tags come after them, and the properties of the user.
 */
export async function exportResponses(
  ctx: Context,
  { from, until, details, properties = [], ...filters }: ResponseFilters & DetailParams & { id: string },
): Promise<FileResponse> {
  await checkExperience(ctx, filters.id, ...listKindsWith('asks'));
  const row = await getAnyExperience(ctx, filters.id);
  const { first, last, timeZone } = await readDayRange(ctx, {
    ...(from !== undefined && { from }),
    ...(until !== undefined && { until }),
  });
  const days = { from: startOfDay(first, timeZone), until: startOfDay(last + 1, timeZone) - 1 };
  const questions = (await listCountedSteps(ctx, row)).filter(isQuestion);
  // The rows are found by their moments, and a wrong filter is reported before the file begins.
  await selectResponses(ctx, filters);
  async function* write(ctx: Context): AsyncGenerator<string> {
    yield toCsvRow([
      ...columns,
      ...questions.flatMap(questionColumns),
      ...(details ? [...detailColumns, ...properties] : []),
    ]);
    for (let before: string | null | undefined; before !== null; ) {
      const found: OrderedPage<ResponseRow> = await findResponses(
        ctx,
        { ...filters, ...days },
        { order: 'created_at', limit: ROWS_PER_CHUNK, before },
      );
      yield* toLines(ctx, found.rows);
      before = found.cursor.before;
    }
  }
  async function* toLines(ctx: Context, rows: readonly ResponseRow[]): AsyncGenerator<string> {
    const answers = await answersById(
      ctx,
      rows.map(({ id }) => id),
    );
    const profiles = await loadNamedProfiles(
      ctx,
      rows.map(({ profile_id }) => profile_id),
    );
    const detailsOf = details ? await loadDetails(ctx, rows, { properties }) : undefined;
    for (const row of rows) {
      const { uid, email, name } = profiles.get(row.profile_id) ?? {};
      const times = [createdAtOf(row), row.finished_at].map((time) => (time === null ? null : toTimestamp(time)));
      const cells = questions.flatMap((question) => answerCells(question, answers.get(row.id) ?? []));
      yield toCsvRow([
        row.id,
        ...times,
        uid,
        email,
        name,
        row.href,
        responseSourceOf(row),
        ...cells,
        ...(detailsOf ? detailCells(detailsOf(row)) : []),
      ]);
    }
  }
  const detailCells = ({
    score,
    language,
    tags,
    properties: known,
  }: ReturnType<Awaited<ReturnType<typeof loadDetails>>>) => [
    ...[score, language, tags.join(', ')],
    ...properties.map((name) => toCell(known[normalizeKey(name)])),
  ];
  return streamCsv(ctx, 'responses.csv', write);
}

const detailColumns = ['score', 'language', 'tags'];

function toCell(value: unknown): unknown {
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
}

const columns = ['id', 'created_at', 'finished_at', 'uid', 'email', 'name', 'href', 'source'];

function isQuestion(step: CountedStep): boolean {
  return askOf(step) !== undefined;
}

function questionColumns({ title }: CountedStep, index: number): string[] {
  const name = `${index + 1}. ${title ?? ''}`.trim();
  return [name, `${name} (text)`];
}

function answerCells({ id }: CountedStep, answers: readonly StoredAnswer[]): [string | null, string | null] {
  const answer = answers.find(({ step_id }) => step_id === id);
  if (!answer) return [null, null];
  const { button_index, button_text, value, input, choices } = answer;
  const chosen = readChoices(choices);
  if (chosen) return [chosen.map(({ text }) => text).join(', '), input];
  const isOther = value !== null && button_index === null && button_text === null;
  return isOther ? [null, input ?? value] : [button_text ?? value, input];
}
