import {
  type Document,
  dropUnknownIds,
  type ExperienceFields,
  type ExperienceKind,
  MAX_OPEN_PROPOSALS,
  nextUpdatedAt,
  type Proposal,
  writeDocument,
} from '@usher/domain';
import type { Context } from '../../../context.ts';
import { conflict, forbidden, invalid } from '../../../errors.ts';
import { recordAudit } from '../../team/audit/record-audit.ts';
import { checkReferences } from '../check-references.ts';
import { checkScripts } from '../check-scripts.ts';
import { lockExperience } from '../queries.ts';
import { listOpenIds, lockOpenProposal, type ProposalRow, presentProposal } from './queries.ts';

type Fields = ExperienceFields & { note?: string | null };

const KEPT_MS = 90 * 24 * 60 * 60_000;

/** Proposes a new Experience. */
export async function proposeExperience(
  ctx: Context,
  kind: ExperienceKind,
  { note = null, steps, items, ...fields }: Fields,
): Promise<Proposal> {
  const row = await ctx.transaction(async (ctx) => {
    const parts = { steps: dropUnknownIds(steps ?? []), items: dropUnknownIds(items ?? []) };
    const document = await write(ctx, kind, undefined, { ...fields, ...parts });
    return insert(ctx, { kind, document, note, experience_id: null, is_new: true, base_updated_at: null });
  });
  return presentProposal(ctx, row);
}

/** Proposes a change of an Experience, as its draft is now. The draft stays as it is. */
export async function proposeChange(
  ctx: Context,
  kind: ExperienceKind,
  id: string,
  { note = null, ...fields }: Fields,
): Promise<Proposal> {
  const row = await ctx.transaction(async (ctx) => {
    const { draft, updated_at } = await lockExperience(ctx, kind, id);
    const document = await write(ctx, kind, draft, fields);
    return insert(ctx, { kind, document, note, experience_id: id, is_new: false, base_updated_at: updated_at });
  });
  return presentProposal(ctx, row);
}

/** Changes a proposal that no one has decided about. Only who made it may do that. */
export async function updateProposal(ctx: Context, id: string, { note, ...fields }: Fields): Promise<Proposal> {
  const row = await ctx.transaction(async (ctx) => {
    const row = await lockOpenProposal(ctx, id);
    if (row.admin_id !== ctx.actor.id || row.secret_id !== (ctx.actor.secret?.id ?? null))
      throw forbidden('Only who made a proposal may change it: make a new one');
    const document = await write(ctx, row.kind, row.document, fields);
    const columns = { document: JSON.stringify(document), ...(note !== undefined && { note }) };
    return ctx.db
      .updateTable('proposals')
      .set({ ...columns, updated_at: nextUpdatedAt(row.updated_at, ctx.now()) })
      .where('account_id', '=', ctx.account.id)
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
  });
  return presentProposal(ctx, row);
}

async function write(
  ctx: Context,
  kind: ExperienceKind,
  before: Document | undefined,
  fields: ExperienceFields,
): Promise<Document> {
  const problems: string[] = [];
  const document = writeDocument(kind, before, fields, ctx.newId, problems);
  if (problems.length > 0) throw invalid(...problems);
  await checkReferences(ctx, before ?? null, document);
  await checkScripts(ctx, before ?? null, document);
  return document;
}

async function insert(
  ctx: Context,
  {
    document,
    ...columns
  }: Pick<ProposalRow, 'kind' | 'document' | 'note' | 'experience_id' | 'is_new' | 'base_updated_at'>,
): Promise<ProposalRow> {
  const { account_id, id, updated_at } = (await ctx.clock()).newRow();
  if ((await listOpenIds(ctx)).length >= MAX_OPEN_PROPOSALS)
    throw conflict(`${MAX_OPEN_PROPOSALS} proposals wait already: wait until somebody has decided about some of them`);
  await ctx.db
    .deleteFrom('proposals')
    .where('account_id', '=', ctx.account.id)
    .where('decided_at', '<', ctx.now() - KEPT_MS)
    .execute();
  const row = await ctx.db
    .insertInto('proposals')
    .values({
      ...columns,
      account_id,
      id,
      updated_at,
      state: 'open',
      document: JSON.stringify(document),
      secret_id: ctx.actor.secret?.id ?? null,
      admin_id: ctx.actor.id,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  const { kind, experience_id } = columns;
  await recordAudit(ctx, 'proposal.create', { type: 'proposal', id }, { name: document.name, kind, experience_id });
  return row;
}
