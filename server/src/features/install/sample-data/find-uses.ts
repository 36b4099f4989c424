import { listSegmentReferences } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { namesExperience, segmentsOf } from '../../audience/filters/segments.ts';
import { experiencesUsingInAnyVersion } from '../../experiences/experiences-using.ts';
import { experiencesOf } from '../../experiences/queries.ts';
import { themesUsingSegment } from '../../experiences/themes/queries.ts';
import { currentVersionsOf } from '../../experiences/versions.ts';
import type { SampleIds } from './remove-sample-data.ts';

const placeNames = { segments: 'Segment', url_groups: 'Environment', tags: 'Tag' } as const;

/** Finds records that administrators made themselves and that name a record of the sample. Returns sentences. */
export async function findUses(ctx: Context, ids: SampleIds): Promise<string[]> {
  return [
    ...(await findExperiences(ctx, ids)),
    ...(await findLinks(ctx, ids)),
    ...(await findSegments(ctx, ids)),
    ...(await findThemes(ctx, ids)),
    ...(await findUrls(ctx, ids)),
  ];
}

async function findExperiences(ctx: Context, ids: SampleIds): Promise<string[]> {
  const uses: string[] = [];
  for (const [places, used] of [
    ['url_groups', ids.url_group],
    ['segments', ids.segment],
    ['tags', ids.tag],
  ] as const)
    for (const id of used)
      for (const row of await experiencesUsingInAnyVersion(ctx, places, id).execute())
        if (!ids.experience.includes(row.id))
          uses.push(
            `the ${row.kind} "${row.draft.name}" is in ${placeNames[places] === 'Environment' ? 'the' : 'a'} sample ${placeNames[places]}`,
          );
  return uses;
}

/** Finds Experiences that lead to an Experience of the sample: their drafts or live versions contain its ID. */
async function findLinks(ctx: Context, ids: SampleIds): Promise<string[]> {
  const own = (await experiencesOf(ctx).execute()).filter(({ id }) => !ids.experience.includes(id));
  const versions = await currentVersionsOf(ctx).select(['experiences.id', 'versions.content']).execute();
  const leads = (document: unknown) => {
    const json = JSON.stringify(document);
    return ids.experience.some((id) => json.includes(`"${id}"`));
  };
  const leading = new Set(versions.filter(({ content }) => leads(content)).map(({ id }) => id));
  return own
    .filter(({ id, draft }) => leading.has(id) || leads(draft))
    .map(({ kind, draft }) => `the ${kind} "${draft.name}" leads to a sample Experience`);
}

async function findSegments(ctx: Context, ids: SampleIds): Promise<string[]> {
  const own = (await segmentsOf(ctx).execute()).filter(({ id }) => !ids.segment.includes(id));
  return own
    .filter(
      (row) =>
        ids.experience.some((id) => namesExperience(row, id)) ||
        listSegmentReferences(row.items, '').some(({ id }) => ids.segment.includes(id)),
    )
    .map(({ name }) => `the Segment "${name}" names something of the sample`);
}

async function findThemes(ctx: Context, ids: SampleIds): Promise<string[]> {
  const rows = await Promise.all(ids.segment.map((id) => themesUsingSegment(ctx, id)));
  const names = new Set(rows.flat().map(({ name }) => name));
  return [...names].map((name) => `the theme "${name}" names something of the sample`);
}

async function findUrls(ctx: Context, ids: SampleIds): Promise<string[]> {
  if (ids.url_group.length === 0) return [];
  const rows = await ctx.db
    .selectFrom('urls')
    .select(['id', 'host'])
    .where('account_id', '=', ctx.account.id)
    .where('url_group_id', 'in', ids.url_group)
    .execute();
  return rows.filter(({ id }) => !ids.url.includes(id)).map(({ host }) => `${host} is in the sample Environment`);
}
