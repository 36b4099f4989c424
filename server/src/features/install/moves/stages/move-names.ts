import {
  CreateEventName,
  compileReader,
  type EventDefinition,
  emptyEventDefinition,
  isRecord,
  type UpdateEventName,
} from '@usher/domain';
import type { Context } from '../../../../context.ts';
import { publishEventName } from '../../../audience/custom-events/custom-events.ts';
import { updateEventName } from '../../../audience/custom-events/update-event-name.ts';
import { contextAt } from '../../sample-data/context-at.ts';
import { contextFor, stamp } from '../context-for.ts';
import type { MoveRun } from '../move-run.ts';
import { readParams, readText, readTexts, readTime } from '../read-record.ts';
import type { SourceRecord } from '../source.ts';
import { moveList } from './move-settings.ts';
import { knownIds } from './read-document.ts';

/* The names of custom properties and events, and the definitions of events that are counted without code. */

/** The Properties of a kind. A service may list hidden ones only when it is asked for them. */
export async function moveProperties(run: MoveRun): Promise<void> {
  const records: SourceRecord[] = [];
  for (const kind of ['profile', 'company', 'event'])
    for (const hidden of ['false', 'true']) {
      const listed = await run.source.listIfKnown('/v3/edit/properties', 'properties', { kind, hidden });
      records.push(...listed.map((record) => ({ ...record, kind })));
    }
  const byId = new Map(records.map((record) => [record.id, record]));
  await moveList(run, 'properties', 'properties', [...byId.values()], storeName);
}

export async function moveEventNames(run: MoveRun): Promise<void> {
  const lists = [];
  for (const hidden of ['false', 'true'])
    lists.push(...(await run.source.listIfKnown('/v3/edit/event_names', 'event_names', { hidden })));
  const byId = new Map(lists.map((record) => [record.id, { ...record, kind: 'event_name', prop: record.uid }]));
  await moveList(run, 'event_names', 'properties', [...byId.values()], storeEventName, {
    update: changeEventName,
    pathOf: (id) => `events/${id}`,
  });
}

const readEvent = compileReader<CreateEventName>(CreateEventName);

/** An event that is counted without code has a definition. It is published if it was, and its Environments are here. */
async function storeEventName(ctx: Context, record: SourceRecord, problems: string[]): Promise<void> {
  const custom = await readCustom(ctx, record, problems);
  await storeName(ctx, record, problems, custom && JSON.stringify(custom.definition));
  if (custom?.publishedAt != null) await publish(ctx, record, custom.definition, custom.publishedAt);
}

/** What has changed in the other service, while no one has edited it here. */
async function changeEventName(ctx: Context, record: SourceRecord, problems: string[]): Promise<void> {
  const custom = await readCustom(ctx, record, problems);
  const params: UpdateEventName = {
    ...{ name: readText(record.name) ?? '', description: readText(record.description) },
    ...{ hidden: record.hidden === true, ...(custom && { definition: custom.definition, published_at: null }) },
  };
  await updateEventName(ctx, record.id, params);
  if (custom?.publishedAt != null) await publish(ctx, record, custom.definition, custom.publishedAt);
  await stamp(ctx, 'properties', record);
}

async function readCustom(ctx: Context, record: SourceRecord, problems: string[]) {
  if (!isRecord(record.definition)) return undefined;
  const { name, definition: given } = readParams(readEvent, { name: record.name, definition: record.definition }, ctx);
  const known = await knownIds(ctx, 'url_groups', given.url_group_ids ?? []);
  const missing = (given.url_group_ids ?? []).filter((id) => !known.has(id));
  const definition = { ...emptyEventDefinition(given.kind), ...given, url_group_ids: [...known] };
  if (missing.length > 0)
    problems.push(`The Environments ${missing.join(', ')} of “${name}” could not be imported, so it is not published`);
  return { definition, publishedAt: missing.length > 0 ? null : readTime(record.published_at) };
}

async function publish(ctx: Context, { id, uid }: SourceRecord, definition: EventDefinition, at: number) {
  const published_at = await publishEventName(contextAt(ctx, at), { prop: readText(uid) ?? '', definition });
  await ctx.db
    .updateTable('properties')
    .set({ published_at })
    .where('account_id', '=', ctx.account.id)
    .where('id', '=', id)
    .execute();
}

/** A name that this account has already keeps its ID, and gets the description. */
async function storeName(ctx: Context, record: SourceRecord, problems: string[], definition?: string): Promise<void> {
  const [prop, name] = [readText(record.prop), readText(record.name)];
  if (prop === null || name === null) {
    problems.push('It has no name');
    return;
  }
  const described = { name, description: readText(record.description), hidden: record.hidden === true };
  const { id, updated_at } = (await contextFor(ctx, record).clock()).newRow();
  const inserted = await ctx.db
    .insertInto('properties')
    .values({
      ...{ account_id: ctx.account.id, id, updated_at, prop, ...described },
      kind: record.kind as 'profile',
      integration: readText(record.integration) ?? toIntegration(record.source),
      last_seen_at: readTime(record.last_seen_at),
      types: JSON.stringify(readTexts(record.types)),
      // A value belongs to a user, and goes when the user is forgotten. Values come with the users.
      samples: '[]',
      ...(definition !== undefined && { definition }),
    })
    .onConflict((taken) => taken.columns(['account_id', 'kind', 'prop']).doNothing())
    .returning('id')
    .executeTakeFirst();
  if (inserted) return stamp(ctx, 'properties', record);
  await ctx.db
    .updateTable('properties')
    .set(described)
    .where('account_id', '=', ctx.account.id)
    .where('kind', '=', record.kind as 'profile')
    .where('prop', '=', prop)
    .execute();
}

/** The sources of event names have other words than those of Properties. */
function toIntegration(source: unknown): string | null {
  if (source === 'api_js') return 'browser';
  return source === 'api_v3' ? 'api' : readText(source);
}
