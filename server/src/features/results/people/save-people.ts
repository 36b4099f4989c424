import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ExperienceKind, IMPORT_TAGS, type ResultPeople, type Segment, toImportTag } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { conflict, invalid } from '../../../errors.ts';
import { toCsvRow } from '../../../http/csv.ts';
import { importsOf } from '../../audience/import-files/import-rows.ts';
import { createImport } from '../../audience/imports/create-import.ts';
import type { NamedProfile } from '../../audience/profiles/named-profiles.ts';
import { createSegment } from '../../audience/segments/create-segment.ts';
import { getExperience } from '../../experiences/queries.ts';
import { checkPeople } from './check-people.ts';
import { readAllPeople } from './list-people.ts';
import { type SelectedPeople, selectPeople } from './select-people.ts';

/** More would keep an import busy for minutes. */
const MAX_SAVED_PEOPLE = 100_000;
export const PEOPLE_PER_READ = 400;

/**
 * Saves the people whom a number counts now as a Segment. No filter can say "left on the second step", so an import tags them in the
 * background, and the Segment has the users with the tag.
 */
export async function savePeople(
  ctx: Context,
  kind: ExperienceKind,
  id: string,
  { name, ...params }: ResultPeople & { name: string },
): Promise<{ segment: Segment; people_count: number }> {
  await checkPeople(ctx, await getExperience(ctx, kind, id), params);
  return saveSelected(ctx, await selectPeople(ctx, id, params), name);
}

export function saveSelected(ctx: Context, selected: SelectedPeople, name: string) {
  return saveAsSegment(ctx, name, readAllPeople(ctx, selected, PEOPLE_PER_READ));
}

/** Saves people whom another part of the results counts. */
export async function saveAsSegment(
  ctx: Context,
  name: string,
  everybody: AsyncIterable<readonly NamedProfile[]>,
): Promise<{ segment: Segment; people_count: number }> {
  const tag = toImportTag({ id: ctx.newId(), name });
  await checkTag(ctx, tag);
  const ids = await listIds(everybody);
  const folder = await mkdtemp(join(tmpdir(), 'usher-people-'));
  try {
    const path = join(folder, 'people.csv');
    // An import trims a `uid`, and would find another user.
    await writeFile(path, ['id', ...ids].map((cell) => toCsvRow([cell])).join(''));
    const segment = await ctx.transaction(async (ctx) => {
      await checkTag(ctx, tag);
      const items = [{ kind: 'property' as const, prop: IMPORT_TAGS, op: 'in-a' as const, value: [tag] }];
      const segment = await createSegment(ctx, { name, items, items_op: 'and' });
      const properties = [{ name: 'id', prop: 'id' }];
      const params = { name, kind: 'tag_csv', model_kind: 'profile', on_model_missing: 'ignore', properties } as const;
      await createImport(ctx, { ...params, properties, import_at: ctx.now() }, [{ name: 'people.csv', path }]);
      return segment;
    });
    ctx.app.importQueue.wake();
    return { segment, people_count: ids.length };
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** Another import with this tag would add its people. */
async function checkTag(ctx: Context, tag: string): Promise<void> {
  const used = await importsOf(ctx).where('tag', '=', tag).limit(1).executeTakeFirst();
  if (used) throw conflict('People were saved or imported under this name before: choose another `name`');
}

async function listIds(everybody: AsyncIterable<readonly NamedProfile[]>): Promise<string[]> {
  const ids: string[] = [];
  for await (const people of everybody) {
    ids.push(...people.map(({ id }) => id));
    if (ids.length > MAX_SAVED_PEOPLE)
      throw invalid(`More than ${MAX_SAVED_PEOPLE} people: choose fewer days, or download them as CSV`);
  }
  if (ids.length === 0) throw invalid('No one is counted here: choose another number, or other days');
  return ids;
}
