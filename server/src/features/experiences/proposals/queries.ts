import {
  type ListedProposal,
  type Proposal,
  sortFields,
  timeOfId,
  toTimestamp,
  toTimestampOrNull,
} from '@usher/domain';
import type { Selectable } from 'kysely';
import type { Context } from '../../../context.ts';
import type { Schema } from '../../../db/schema.ts';
import { conflict, notFound } from '../../../errors.ts';
import { loadUsers } from '../../team/persons/load-users.ts';

export type ProposalRow = Selectable<Schema['proposals']>;

export function proposalsOf(ctx: Context) {
  return ctx.db.selectFrom('proposals').selectAll().where('account_id', '=', ctx.account.id);
}

/** The IDs of the proposals that wait, oldest first. */
export async function listOpenIds(ctx: Context): Promise<string[]> {
  const rows = await ctx.db
    .selectFrom('proposals')
    .select('id')
    .where('account_id', '=', ctx.account.id)
    .where('state', '=', 'open')
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
}

export async function getProposal(ctx: Context, id: string): Promise<ProposalRow> {
  const row = await proposalsOf(ctx).where('id', '=', id).executeTakeFirst();
  if (!row) throw notFound('proposal');
  return row;
}

/** Locks a proposal that no one has decided about yet. */
export async function lockOpenProposal(ctx: Context, id: string): Promise<ProposalRow> {
  const row = await ctx.dialect.lockRows(proposalsOf(ctx).where('id', '=', id)).executeTakeFirst();
  if (!row) throw notFound('proposal');
  if (row.state !== 'open') throw conflict(`This proposal was ${row.state} already: make a new one`);
  return row;
}

export async function presentProposals(ctx: Context, rows: readonly ProposalRow[]): Promise<ListedProposal[]> {
  const users = await loadUsers(
    ctx,
    rows.flatMap(({ admin_id, decided_by }) => [admin_id, decided_by]),
  );
  const drafts = await loadUpdatedAt(ctx, rows);
  const secrets = await loadSecretNames(ctx, rows);
  const userOf = (id: string) => users.get(id) ?? { id, name: '', email: '' };
  return rows.map((row) => ({
    id: row.id,
    created_at: toTimestamp(timeOfId(row.id)),
    updated_at: toTimestamp(row.updated_at),
    state: row.state,
    kind: row.kind,
    experience_id: row.experience_id,
    is_new: row.is_new,
    name: row.document.name,
    note: row.note,
    is_outdated: row.state === 'open' && !row.is_new && drafts.get(row.experience_id as string) !== row.base_updated_at,
    secret: row.secret_id === null ? null : { id: row.secret_id, name: secrets.get(row.secret_id) ?? '' },
    user: userOf(row.admin_id),
    decided_at: toTimestampOrNull(row.decided_at),
    decided_by: row.decided_by === null ? null : userOf(row.decided_by),
    reason: row.reason,
  }));
}

export async function presentProposal(ctx: Context, row: ProposalRow): Promise<Proposal> {
  const [listed] = await presentProposals(ctx, [row]);
  return { ...(listed as ListedProposal), experience: { ...sortFields(row.document) } };
}

/** The `updated_at` of the Experiences that proposals change. */
async function loadUpdatedAt(ctx: Context, rows: readonly ProposalRow[]): Promise<Map<string, number>> {
  const ids = rows.flatMap(({ experience_id, state }) => (experience_id && state === 'open' ? [experience_id] : []));
  if (ids.length === 0) return new Map();
  const found = await ctx.db
    .selectFrom('experiences')
    .select(['id', 'updated_at'])
    .where('account_id', '=', ctx.account.id)
    .where('id', 'in', ids)
    .execute();
  return new Map(found.map(({ id, updated_at }) => [id, updated_at]));
}

/** Revoked secrets keep their names. */
export async function loadSecretNames(
  ctx: Context,
  rows: readonly Pick<ProposalRow, 'secret_id'>[],
): Promise<Map<string, string>> {
  const ids = rows.flatMap(({ secret_id }) => secret_id ?? []);
  if (ids.length === 0) return new Map();
  const found = await ctx.db
    .selectFrom('secrets')
    .select(['id', 'name'])
    .where('account_id', '=', ctx.account.id)
    .where('id', 'in', ids)
    .execute();
  return new Map(found.map(({ id, name }) => [id, name]));
}
