import {
  type Expand,
  normalizeKey,
  type Response,
  responseSourceOf,
  toResponseFields,
  toTimestamp,
  writtenIn,
} from '@usher/domain';
import type { Context } from '../../../context.ts';
import { presentOwned } from '../../audience/profiles/present-owned.ts';
import { answersById, propertiesById, type ResponseRow, readSegmentIds, tagsById } from './queries.ts';

export interface DetailParams {
  details?: boolean | undefined;
  properties?: readonly string[] | undefined;
}

export async function presentResponses(
  ctx: Context,
  rows: readonly ResponseRow[],
  expand: Expand,
  params: DetailParams = {},
): Promise<Response[]> {
  const answers = await answersById(
    ctx,
    rows.map(({ id }) => id),
  );
  const details = params.details ? await loadDetails(ctx, rows, params) : undefined;
  return presentOwned(ctx, rows, expand, (row) => ({
    survey_id: row.experience_id,
    profile_id: row.profile_id,
    href: row.href,
    source: responseSourceOf(row),
    ...toResponseFields(answers.get(row.id) ?? []),
    finished_at: row.finished_at === null ? null : toTimestamp(row.finished_at),
    ...(details && {
      details: {
        ...details(row),
        comment:
          answers
            .get(row.id)
            ?.map(writtenIn)
            .find((text) => text !== null) ?? null,
      },
    }),
  }));
}

/** Loads what lists and files show of Responses besides their usual fields. */
export async function loadDetails(ctx: Context, rows: readonly ResponseRow[], { properties = [] }: DetailParams) {
  const tags = await tagsById(
    ctx,
    rows.map(({ id }) => id),
  );
  const names = properties.map(normalizeKey);
  const byProfile = await propertiesById(
    ctx,
    rows.map(({ profile_id }) => profile_id),
    names,
  );
  return ({ id, profile_id, score, language, link_id, segment_ids }: ResponseRow) => ({
    ...{ score, language: language === '' ? 'default' : language },
    ...{ tags: tags.get(id) ?? [], link_id, segment_ids: readSegmentIds(segment_ids) },
    properties: byProfile.get(profile_id) ?? {},
  });
}
