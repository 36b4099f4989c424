import { createIdSource, timeOfId } from '@usher/domain';
import { sql } from 'kysely';
import type { Db } from '../schema.ts';
import type { ColumnTypes, MigrationStep } from './migration.ts';

/**
 * `in` and `in-v` had each other's meaning, and `in-i` was what `in-vi` is now. Stored filters get the operator that means
 * what theirs did, so that a Segment goes on selecting the same users; so do the Changes that tell of one. The items of Segments
 * get IDs, and names of events that were tracked are registered, each created when it was first seen.
 */
export function filterOperators({ json }: ColumnTypes): MigrationStep[] {
  return [
    ...(json === 'jsonb' ? targetingOnPostgres : targetingOnSqlite),
    rewriteSegments,
    rewriteChanges,
    registerEventNames,
    // Whoever is forgotten takes along the names that nobody else has had.
    'create index if not exists profile_events_by_name on profile_events (account_id, name)',
  ];
}

/* Experiences name how their Segments are joined, and which they exclude. */

const fresh = `'{"segments_op": "and", "excluded_segment_ids": []}'`;
const targetingOnPostgres = [
  `update experiences set draft = ${fresh} || draft`,
  `update versions set content = jsonb_set(content, '{document}', ${fresh} || (content -> 'document'))`,
];
const inSqlite = (at: string) => `'${at}.segments_op', 'and', '${at}.excluded_segment_ids', json('[]')`;
const targetingOnSqlite = [
  `update experiences set draft = json_insert(draft, ${inSqlite('$')})`,
  `update versions set content = json_insert(content, ${inSqlite('$.document')})`,
];

const renamed = new Map<unknown, string>([
  ['in', 'in-v'],
  ['nin', 'nin-v'],
  ['in-i', 'in-vi'],
  ['nin-i', 'nin-vi'],
  ['in-v', 'in'],
  ['nin-v', 'nin'],
]);

interface StoredFilter {
  id?: string;
  kind: string;
  op?: string;
  filters?: StoredFilter[];
}

function rewrite(filter: StoredFilter): StoredFilter {
  if (filter.kind === 'group') return { ...filter, filters: (filter.filters ?? []).map(rewrite) };
  const op = filter.kind === 'property' ? renamed.get(filter.op) : undefined;
  return op === undefined ? filter : { ...filter, op };
}

async function rewriteSegments(db: Db): Promise<void> {
  const newId = createIdSource(Date.now);
  const withId = (item: StoredFilter) => ({ ...rewrite(item), id: item.id ?? newId() });
  await rewriteColumn(db, 'segments', 'items', sql`true`, (items: StoredFilter[]) => items.map(withId));
}

async function rewriteChanges(db: Db): Promise<void> {
  const ofSegments = sql`kind = 'related' and path like 'segments.%'`;
  await rewriteColumn(db, 'changes', 'object', ofSegments, (object: { items?: StoredFilter[][] }) =>
    object.items ? { ...object, items: object.items.map((side) => side.map(rewrite)) } : object,
  );
}

const ROWS_AT_ONCE = 500;

/** Reads and writes JSON as text: what each engine makes of it by itself differs. */
async function rewriteColumn<Value>(
  db: Db,
  table: string,
  column: string,
  condition: ReturnType<typeof sql>,
  change: (value: Value) => Value,
): Promise<void> {
  const [from, json] = [sql.table(table), sql.ref(column)];
  for (let last: { account_id: string; id: string } | undefined = { account_id: '', id: '' }; last; ) {
    const { rows }: { rows: { account_id: string; id: string; text: string }[] } = await sql<{
      account_id: string;
      id: string;
      text: string;
    }>`select account_id, id, cast(${json} as text) as text from ${from}
      where ${condition} and (account_id, id) > (${last.account_id}, ${last.id})
      order by account_id, id limit ${sql.lit(ROWS_AT_ONCE)}`.execute(db);
    for (const { account_id, id, text } of rows) {
      const before: Value = JSON.parse(text);
      const after = change(before);
      if (JSON.stringify(after) === JSON.stringify(before)) continue;
      await sql`update ${from} set ${json} = ${JSON.stringify(after)}
        where account_id = ${account_id} and id = ${id}`.execute(db);
    }
    last = rows.length === ROWS_AT_ONCE ? rows.at(-1) : undefined;
  }
}

/** How each came is not known any more: it is noted when the next one comes. */
async function registerEventNames(db: Db): Promise<void> {
  const { rows } = await sql<{ account_id: string; name: string; first: number; last: number }>`
    select account_id, name, min(first_at) as first, max(last_at) as last from profile_events
    group by account_id, name order by account_id, min(first_at)`.execute(db);
  let [account, time] = ['', 0];
  let newId = createIdSource(() => time);
  for (const { account_id, name, first, last } of rows) {
    time = Number(first);
    // IDs only go forward: in the order of one account.
    if (account_id !== account) newId = createIdSource(() => time);
    account = account_id;
    const id = newId();
    await sql`insert into properties (account_id, id, updated_at, name, kind, prop, last_seen_at, types, samples)
      values (${account_id}, ${id}, ${timeOfId(id)}, ${name}, 'event_name', ${name}, ${Number(last)}, '[]', '[]')
      on conflict (account_id, kind, prop) do nothing`.execute(db);
  }
}
