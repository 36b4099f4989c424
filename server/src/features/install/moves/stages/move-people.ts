import {
  CompanyInput,
  CUSTOM_TOO_LARGE_MESSAGE,
  compileReader,
  drawPercent,
  emailKey,
  isCustomTooLarge,
  mergeCustom,
  ProfileInput,
  toCompanyItem,
  toProfileItem,
} from '@usher/domain';
import type { Context } from '../../../../context.ts';
import type { Upsert } from '../../../../db/bulk-rows.ts';
import { forgetProfileCount } from '../../../audience/counts/count-all-profiles.ts';
import { loadTestUserRule } from '../../../audience/profiles/test-user-rule.ts';
import { SeenValues } from '../../../audience/properties/seen.ts';
import { storedCreatedAt, timesOf } from '../context-for.ts';
import type { MoveRun } from '../move-run.ts';
import { readNumber, readText, readTexts, readTime } from '../read-record.ts';
import { type SourceRecord, SourceRejection } from '../source.ts';
import { OrderedSamples, readValueOrder, type ValueOrder } from './value-order.ts';

const readProfile = compileReader<ProfileInput>(ProfileInput);
const readCompany = compileReader<CompanyInput>(CompanyInput);
/** Clocks differ: what changed shortly before the last run is read again. */
const OVERLAP_MS = 60 * 60_000;

/** Stores the records of a page, and returns how many of them are new or changed. Problems are counted by their text. */
type StorePage = (
  ctx: Context,
  records: readonly SourceRecord[],
  problems: string[],
  order: ValueOrder | undefined,
) => Promise<number>;

export async function moveCompanies(run: MoveRun): Promise<void> {
  await movePages(run, 'companies', storeCompanies);
}

export async function moveProfiles(run: MoveRun): Promise<void> {
  await movePages(run, 'profiles', storeProfiles);
}

/** Reads all pages, newest first. A later run reads only what has changed since. */
async function movePages(run: MoveRun, noun: 'profiles' | 'companies', store: StorePage): Promise<void> {
  const progress = run.begin(noun);
  const { since } = progress;
  const filters =
    since === null
      ? undefined
      : [{ kind: 'property', prop: 'updated_at', op: 'gte', value: new Date(since - OVERLAP_MS).toISOString() }];
  if (noun === 'profiles' && since === null) progress.total ??= await countProfiles(run);
  if (run.isDry) return;
  const params = noun === 'profiles' ? { 'expand[profile]': 'all', 'expand[company]': 'min' } : {};
  const expand = noun === 'profiles' ? { expand: { profile: 'all', company: 'min' } } : {};
  const order = since === null ? await readValueOrder(run, noun === 'profiles' ? 'profile' : 'company') : undefined;
  for (let before = progress.cursor; ; ) {
    const query = { ...(filters ? (expand as Record<string, never>) : params), ...(before !== null && { before }) };
    const page = await readPage(run, noun, query, filters);
    await run.store(async (ctx) => {
      const problems: string[] = page.problem === undefined ? [] : [page.problem];
      const stored = await store(ctx, page.records, problems, order);
      const known = run.progress.stages[noun];
      for (const text of new Set(problems)) await run.addProblems(ctx, noun, '', [text]);
      return {
        cursor: page.next,
        done: (known?.done ?? 0) + stored,
        problems: (known?.problems ?? 0) + problems.length,
      };
    });
    if (page.next === null) break;
    before = page.next;
  }
  await run.finish();
}

interface PeoplePage extends Awaited<ReturnType<MoveRun['source']['page']>> {
  problem?: string;
}

/** A service may have no list of these. Then the others go on. */
async function readPage(
  run: MoveRun,
  noun: 'profiles' | 'companies',
  params: Record<string, string>,
  filters: readonly object[] | undefined,
): Promise<PeoplePage> {
  try {
    return await run.source.page(`/v3/analyze/${noun}`, noun, params, filters);
  } catch (error) {
    // In the middle of a list, the rest of it would be missing.
    if (!(error instanceof SourceRejection) || params.before !== undefined) throw error;
    const problem = `The other service does not list its ${nouns[noun]}: ${error.message}`;
    return { records: [], next: null, problem };
  }
}

const nouns = { profiles: 'users', companies: 'Companies' } as const;

async function countProfiles(run: MoveRun): Promise<number | null> {
  try {
    return readNumber((await run.source.get('/v3/analyze/profiles/count')).count);
  } catch (error) {
    if (error instanceof SourceRejection) return null;
    throw error;
  }
}

interface Known {
  id: string;
  updated_at: number;
}

/** Leaves out what is newer here. */
function isNewer(record: SourceRecord, known: Known | undefined): boolean {
  return known === undefined || known.updated_at < timesOf(record).updatedAt;
}

async function lookUp<Row>(
  ctx: Context,
  table: 'profiles' | 'companies',
  key: string,
  names: readonly string[],
  columns: readonly (keyof Row & string)[],
): Promise<Row[]> {
  return names.length === 0 ? [] : ctx.dialect.lookUp<Row>(ctx.db, ctx.account.id, { table, key, names, columns });
}

async function storeCompanies(
  ctx: Context,
  records: readonly SourceRecord[],
  problems: string[],
  order: ValueOrder | undefined,
): Promise<number> {
  const uids = records.flatMap(({ uid }) => readText(uid) ?? []);
  type Row = Known & { uid: string };
  const columns = ['id', 'uid', 'updated_at'] as const;
  const byId = new Map(
    (
      await lookUp<Row>(
        ctx,
        'companies',
        'id',
        records.map(({ id }) => id),
        columns,
      )
    ).map((row) => [row.id, row]),
  );
  const byUid = new Map((await lookUp<Row>(ctx, 'companies', 'uid', uids, columns)).map((row) => [row.uid, row]));
  await ctx.clock();
  const values = new SeenValues({ integration: 'import' });
  const samples = new OrderedSamples(order);
  const rows = oldestFirst(records).flatMap((record) => {
    const uid = readText(record.uid);
    if (!isNewer(record, byId.get(record.id))) return [];
    if (uid === null) return leaveOut(problems, 'Companies without a `uid` are left out');
    if ((byUid.get(uid)?.id ?? record.id) !== record.id)
      return leaveOut(problems, 'Companies whose `uid` another Company here has are left out');
    const custom = readCustom(ctx, record, (input, found, now) => {
      const reading = readCompany(input, now);
      return 'value' in reading ? toCompanyItem(reading.value, found, now).custom : undefined;
    });
    if (typeof custom === 'string') return leaveOut(problems, custom);
    values.add('company', record.id, custom.custom);
    samples.add('company', record.id, custom.custom);
    const { updatedAt } = timesOf(record);
    return [{ id: record.id, created_at: storedCreatedAt(record), updated_at: updatedAt, uid, custom: custom.text }];
  });
  if (rows.length > 0) await ctx.dialect.upsert(ctx.db, ctx.account.id, companiesTable, rows);
  await registerValues(ctx, values, samples, records, order);
  return rows.length;
}

const companiesTable: Upsert = {
  table: 'companies',
  columns: { id: 'text', created_at: 'bigint', updated_at: 'bigint', uid: 'text', custom: 'jsonb' },
  changes: ['updated_at', 'custom'],
};

async function storeProfiles(
  ctx: Context,
  records: readonly SourceRecord[],
  problems: string[],
  order: ValueOrder | undefined,
): Promise<number> {
  type Row = Known & { uid: string; email_key: string | null };
  const columns = ['id', 'uid', 'updated_at', 'email_key'] as const;
  const uids = records.flatMap(({ uid }) => readText(uid) ?? []);
  const emails = records.flatMap(({ email }) => (typeof email === 'string' ? emailKey(email) : []));
  const byId = new Map(
    (
      await lookUp<Row>(
        ctx,
        'profiles',
        'id',
        records.map(({ id }) => id),
        columns,
      )
    ).map((row) => [row.id, row]),
  );
  const byUid = new Map((await lookUp<Row>(ctx, 'profiles', 'uid', uids, columns)).map((row) => [row.uid, row]));
  const holders = new Map<string, string>();
  for (const { email_key, id } of await lookUp<Row>(ctx, 'profiles', 'email_key', emails, columns))
    if (email_key !== null) holders.set(email_key, id);
  const companyIds = [...new Set(records.flatMap(({ company_id }) => readText(company_id) ?? []))];
  const companies = new Set(
    (await lookUp<Known>(ctx, 'companies', 'id', companyIds, ['id', 'updated_at'])).map(({ id }) => id),
  );
  const isTestUser = await loadTestUserRule(ctx);
  await forgetProfileCount(ctx);
  await ctx.clock();
  const values = new SeenValues({ integration: 'import' });
  const samples = new OrderedSamples(order);
  const rows = oldestFirst(records).flatMap((record) => {
    const uid = readText(record.uid);
    if (!isNewer(record, byId.get(record.id))) return [];
    if (uid === null) return leaveOut(problems, 'Users without a `uid` are left out');
    if ((byUid.get(uid)?.id ?? record.id) !== record.id)
      return leaveOut(problems, 'Users whose `uid` another user here has are left out: import before going live');
    const custom = readCustom(ctx, record, (input, found, now) => {
      const reading = readProfile(input, now);
      return 'value' in reading ? toProfileItem(reading.value, found, now).custom : undefined;
    });
    if (typeof custom === 'string') return leaveOut(problems, custom);
    const email = takeEmail(record, holders, problems);
    const companyId = readText(record.company_id);
    if (companyId !== null && !companies.has(companyId))
      problems.push('Users whose Company is not here are imported without it');
    values.add('profile', record.id, custom.custom);
    samples.add('profile', record.id, custom.custom);
    return [
      {
        id: record.id,
        created_at: storedCreatedAt(record),
        updated_at: timesOf(record).updatedAt,
        uid,
        email,
        email_key: email === null ? null : emailKey(email),
        company_id: companyId !== null && companies.has(companyId) ? companyId : null,
        browser_x: readNumber(record.browser_x),
        browser_tz: readNumber(record.browser_tz),
        browser_l: readText(record.browser_l),
        browser_n: readText(record.browser_n),
        browser_k: readText(record.browser_k),
        percent: readNumber(record.percent) ?? drawPercent(),
        last_seen_at: readTime(record.last_seen_at),
        last_seen_session_count: readNumber(record.last_seen_session_count) ?? 0,
        last_cleared_at: readTime(record.last_cleared_at),
        delivery_ids: JSON.stringify(readTexts(record.delivery_ids)),
        custom: custom.text,
        page_keys: '[]',
        is_test: isTestUser({ test: null, email }),
      },
    ];
  });
  if (rows.length > 0) await ctx.dialect.upsert(ctx.db, ctx.account.id, profilesTable, rows);
  await registerValues(ctx, values, samples, records, order);
  return rows.length;
}

const profilesTable: Upsert = {
  table: 'profiles',
  columns: {
    ...{ id: 'text', created_at: 'bigint', updated_at: 'bigint', uid: 'text', email: 'text', email_key: 'text' },
    ...{ company_id: 'text', browser_x: 'bigint', browser_tz: 'bigint', browser_l: 'text', browser_n: 'text' },
    ...{ browser_k: 'text', percent: 'double precision', last_seen_at: 'bigint', last_seen_session_count: 'bigint' },
    ...{ last_cleared_at: 'bigint', delivery_ids: 'jsonb', custom: 'jsonb', page_keys: 'jsonb', is_test: 'boolean' },
  },
  changes: [
    ...['updated_at', 'email', 'email_key', 'company_id', 'browser_x', 'browser_tz', 'browser_l', 'browser_n'],
    ...['browser_k', 'percent', 'last_seen_at', 'last_seen_session_count', 'last_cleared_at', 'custom', 'page_keys'],
    'is_test',
  ],
};

/** Emails are unique here. The first one keeps it. */
function takeEmail({ id, email }: SourceRecord, holders: Map<string, string>, problems: string[]): string | null {
  if (typeof email !== 'string' || email === '') return null;
  const key = emailKey(email);
  const holder = holders.get(key) ?? id;
  if (holder === id) holders.set(key, id);
  else problems.push('Users whose email another user has are imported without it');
  return holder === id ? email : null;
}

/** Reads custom properties by the rules for backends. Returns a text if they are rejected. */
function readCustom(
  ctx: Context,
  record: SourceRecord,
  read: (input: object, problems: string[], now: number) => ReturnType<typeof toProfileItem>['custom'] | undefined,
) {
  const { company: _, company_id: __, id: ___, ...input } = record;
  const problems: string[] = [];
  const patch = read(input, problems, ctx.now());
  const merged = patch && mergeCustom({}, patch);
  if (!patch || problems.length > 0) return 'Records with properties that are not valid here are left out';
  if (merged && isCustomTooLarge(merged))
    return `Records with too many properties are left out: ${CUSTOM_TOO_LARGE_MESSAGE}`;
  return { custom: patch, text: merged?.text ?? '{}' };
}

function leaveOut(problems: string[], text: string): never[] {
  problems.push(text);
  return [];
}

/** Pages are read newest first. Of values, the newest are kept. */
function oldestFirst(records: readonly SourceRecord[]): SourceRecord[] {
  return records.toReversed();
}

/**
 * Registers new names and their values. The first run keeps the order of values of the other service; a later one reads only what has
 * changed, so its values are the latest. In the first run, the `last_seen_at` of a name stays as it was in the other service.
 */
async function registerValues(
  ctx: Context,
  values: SeenValues,
  ordered: OrderedSamples,
  records: readonly SourceRecord[],
  order: ValueOrder | undefined,
): Promise<void> {
  const latest = Math.max(0, ...records.map((record) => timesOf(record).updatedAt));
  const rows = await ctx.db
    .selectFrom('properties')
    .select(['kind', 'prop', 'last_seen_at', 'samples'])
    .where('account_id', '=', ctx.account.id)
    .execute();
  const byName = new Map(rows.map((row) => [`${row.kind} ${row.prop}`, row]));
  const seen = values.list(latest).map((one) => {
    const known = byName.get(`${one.kind} ${one.prop}`);
    const samples = ordered.of(one, known?.samples ?? []);
    const at = order ? (known?.last_seen_at ?? latest) : Math.max(known?.last_seen_at ?? 0, latest);
    return { ...one, samples, at };
  });
  const { propertyRegistry } = ctx.app;
  await propertyRegistry.register(ctx, seen);
  if (!order) ctx.afterCommit(() => propertyRegistry.record(ctx.account.id, seen));
}
