import {
  askOf,
  type Document,
  dayOf,
  findQuestionOrder,
  isRecord,
  MAX_RESPONSE_TAGS,
  OTHER_OPTION,
  type Step,
  type StoredAnswer,
  TICKS_PER_MS,
} from '@usher/domain';
import type { Context } from '../../../../context.ts';
import type { Upsert } from '../../../../db/bulk-rows.ts';
import { writeInChunks } from '../../../experiences/changes/record-changes.ts';
import { experiencesOf } from '../../../experiences/queries.ts';
import { loadTimeZone } from '../../../results/counts/time-zone.ts';
import { storeScores, writeSegmentIds } from '../../../results/responses/queries.ts';
import { storedCreatedAt, timesOf } from '../context-for.ts';
import type { MoveRun } from '../move-run.ts';
import { readNumber, readRecords, readText, readTexts, readTime } from '../read-record.ts';
import type { SourceRecord } from '../source.ts';
import { keepProfiles, moveUse, profileIdOf } from './move-use.ts';
import type { SourceExperience } from './read-experiences.ts';

export async function moveResponses(run: MoveRun, experiences: readonly SourceExperience[]): Promise<void> {
  await moveUse(run, 'responses', experiences, storeResponses);
}

async function storeResponses(
  ctx: Context,
  { record: { id: experience_id } }: SourceExperience,
  records: readonly SourceRecord[],
  problems: string[],
): Promise<number> {
  const survey = await experiencesOf(ctx).where('id', '=', experience_id).executeTakeFirst();
  if (!survey) {
    problems.push('Responses to surveys that are not here are left out');
    return 0;
  }
  const timeZone = await loadTimeZone(ctx);
  const profiles = await keepProfiles(
    ctx,
    records.flatMap((record) => profileIdOf(record) ?? []),
  );
  const known = await knownResponses(
    ctx,
    records.map(({ id }) => id),
  );
  await ctx.clock();
  const fresh = records.filter((record) => {
    const profile = profileIdOf(record);
    if (profile === null || !profiles.has(profile)) problems.push('Responses of users who are not here are left out');
    else return (known.get(record.id) ?? -1) < timesOf(record).updatedAt;
    return false;
  });
  if (fresh.length === 0) return 0;
  const rows = fresh.map((record) => {
    const { createdAt, updatedAt } = timesOf(record);
    return {
      ...{
        id: record.id,
        created_at: storedCreatedAt(record),
        updated_at: updatedAt,
        updated_tick: updatedAt * TICKS_PER_MS,
      },
      ...{ experience_id, profile_id: profileIdOf(record), showing_from: createdAt },
      ...{ href: readText(record.href), finished_at: readTime(record.finished_at) },
      ...readDetails(record),
    };
  });
  await ctx.dialect.upsert(ctx.db, ctx.account.id, responsesTable, rows);
  const ids = fresh.map(({ id }) => id);
  for (const table of ['answers', 'response_tags'] as const)
    await ctx.db.deleteFrom(table).where('account_id', '=', ctx.account.id).where('response_id', 'in', ids).execute();
  const answers = fresh.flatMap((record) =>
    toAnswers(record, survey.draft).map((answer) => ({
      ...{ account_id: ctx.account.id, response_id: record.id, experience_id, profile_id: profileIdOf(record) ?? '' },
      day: dayOf(timesOf(record).createdAt, timeZone),
      ...answer,
    })),
  );
  await writeInChunks(answers, (chunk) => ctx.db.insertInto('answers').values(chunk).execute());
  const tags = fresh.flatMap((record) =>
    detailsOf(record).tags.map((name) => ({
      ...{ account_id: ctx.account.id, response_id: record.id, name },
      ...{ experience_id, profile_id: profileIdOf(record) ?? '' },
    })),
  );
  await writeInChunks(tags, (chunk) => ctx.db.insertInto('response_tags').values(chunk).execute());
  await storeScores(ctx, ids);
  return fresh.length;
}

async function knownResponses(ctx: Context, ids: readonly string[]): Promise<Map<string, number>> {
  const rows = await ctx.db
    .selectFrom('responses')
    .select(['id', 'updated_at'])
    .where('account_id', '=', ctx.account.id)
    .where('id', 'in', ids)
    .execute();
  return new Map(rows.map(({ id, updated_at }) => [id, updated_at]));
}

const responsesTable: Upsert = {
  table: 'responses',
  columns: {
    ...{ id: 'text', created_at: 'bigint', updated_at: 'bigint', updated_tick: 'bigint', experience_id: 'text' },
    ...{ profile_id: 'text', showing_from: 'bigint', href: 'text', finished_at: 'bigint' },
    ...{ language: 'text', link_id: 'text', segment_ids: 'text' },
  },
  changes: ['updated_at', 'updated_tick', 'href', 'finished_at', 'language', 'link_id', 'segment_ids'],
};

function detailsOf({ details }: SourceRecord) {
  const given = isRecord(details) ? details : {};
  const tags = [...new Set(readTexts(given.tags))].slice(0, MAX_RESPONSE_TAGS);
  return { given, tags, segmentIds: readTexts(given.segment_ids) };
}

/** A public page and its links answer once, also after the move. */
function readDetails(record: SourceRecord) {
  const { given, segmentIds } = detailsOf(record);
  const language = readText(given.language);
  return {
    language: language === 'default' ? '' : language,
    link_id: readText(given.link_id) ?? (record.source === 'link' ? record.id : null),
    segment_ids: writeSegmentIds(segmentIds),
  };
}

/** The answers of a Response, one for each step. A service without `answers` gives them as flat fields. */
function toAnswers(record: SourceRecord, survey: Document): StoredAnswer[] {
  const given = Array.isArray(record.answers) ? readRecords(record.answers) : toList(record);
  const questions = survey.steps.filter(askOf);
  const taken = new Set<string>();
  return given.flatMap((answer, index) => {
    const step =
      survey.steps.find(({ id }) => id === answer.step_id) ??
      survey.steps.find(({ buttons }) => buttons.some(({ id }) => id === answer.button_id)) ??
      questions.filter(({ id }) => !taken.has(id))[0];
    const step_id = step?.id ?? readText(answer.step_id) ?? '';
    if (taken.has(step_id) || isEmpty(answer)) return [];
    taken.add(step_id);
    return [{ step_id, question_order: step ? findQuestionOrder(step, survey) : index, ...toAnswer(answer, step) }];
  });
}

const flatFields = ['button_id', 'button_text', 'button_order', 'input_text', 'dropdown_items', 'other_text'];

function isEmpty(answer: Record<string, unknown>): boolean {
  return flatFields.every((name) => answer[name] == null);
}

function toList(record: SourceRecord): Record<string, unknown>[] {
  const first = Object.fromEntries(flatFields.map((name) => [name, record[name]]));
  const follow = (suffix: string, input: unknown) => ({
    dropdown_items: record[`comment_step_dropdown_items${suffix}`],
    other_text: record[`comment_step_other_text${suffix}`],
    button_text: readTexts(record[`comment_step_buttons_selected${suffix}`])[0] ?? null,
    input_text: input,
  });
  return [first, follow('', record.comment_step_input_text2), follow('2', null)];
}

/**
 * The chosen options of an answer to a question of this service, with the texts that the user chose. The text of any other answer is that
 * of the moved survey.
 */
function readOptions(answer: Record<string, unknown>, step: Step | undefined) {
  if (!Array.isArray(answer.option_ids)) return undefined;
  const ids = readTexts(answer.option_ids);
  const offered = (step && askOf(step)?.options) ?? [];
  const isSingle = !Array.isArray(answer.dropdown_items);
  const chosen = isSingle ? readTexts([answer.button_text]) : readTexts(answer.dropdown_items);
  const named = isSingle ? ids : ids.filter((id) => id !== OTHER_OPTION);
  const choices = ids.map((id) => {
    const text = named.includes(id) ? chosen[named.indexOf(id)] : undefined;
    return { id, text: text ?? offered.find((option) => option.id === id)?.text ?? id };
  });
  return {
    choices: JSON.stringify(choices),
    input: readText(answer.other_text),
    ...(isSingle && {
      value: ids[0] ?? null,
      button_text: readText(answer.button_text),
      button_index: readNumber(answer.button_order),
    }),
  };
}

function toAnswer(answer: Record<string, unknown>, step: Step | undefined) {
  const input = readText(answer.input_text);
  const none = { button_id: null, button_index: null, button_text: null, value: null, input, choices: null };
  const options = readOptions(answer, step);
  if (options) return { ...none, ...options };
  if (Array.isArray(answer.dropdown_items)) {
    const [item] = readTexts(answer.dropdown_items);
    if (item === undefined) return { ...none, value: readText(answer.other_text), input: null };
    const index = step?.dropdown_items.indexOf(item) ?? -1;
    return { ...none, value: item, button_index: Math.max(index, 0) };
  }
  const button_text = readText(answer.button_text);
  const button_index = readNumber(answer.button_order);
  const button_id = readText(answer.button_id);
  if (button_id !== null) return { ...none, button_id, button_index, button_text };
  return { ...none, button_index, button_text, value: button_text };
}
