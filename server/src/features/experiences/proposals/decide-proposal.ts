import { type Diff, type Millis, nextUpdatedAt, type Proposal, toTimestamp } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { conflict } from '../../../errors.ts';
import { recordAudit } from '../../team/audit/record-audit.ts';
import { type ExperienceRow, lockExperience } from '../queries.ts';
import { insertExperience, storeDraft } from '../store-drafts.ts';
import { loadSecretNames, lockOpenProposal, type ProposalRow, presentProposal } from './queries.ts';

/**
 * Makes a proposal the draft, and publishes it unless `publish` is false. A person approves exactly what they have seen:
 * neither the proposal nor the draft that it is based on may have changed since.
 */
export async function approveProposal(
  ctx: Context,
  id: string,
  { updated_at: seen, publish }: { updated_at: Millis; publish: boolean },
): Promise<Proposal> {
  const row = await ctx.transaction(async (ctx) => {
    const proposal = await lockOpenProposal(ctx, id);
    if (proposal.updated_at !== seen)
      throw conflict('This proposal has changed since you saw it: load it again, and look at what it changes');
    const experience = await apply(ctx, proposal, publish);
    return decide(ctx, proposal, { state: 'approved', experience_id: experience.id }, { publish });
  });
  return presentProposal(ctx, row);
}

/** Discards a proposal. Who made it can read the reason. */
export async function rejectProposal(ctx: Context, id: string, reason: string): Promise<Proposal> {
  const row = await ctx.transaction(async (ctx) =>
    decide(ctx, await lockOpenProposal(ctx, id), { state: 'rejected', reason }),
  );
  return presentProposal(ctx, row);
}

async function apply(ctx: Context, proposal: ProposalRow, publish: boolean): Promise<ExperienceRow> {
  const [secretName] = (await loadSecretNames(ctx, [proposal])).values();
  const options: Record<string, Diff> = {
    proposal_id: [null, proposal.id],
    proposed_by: [null, secretName ?? proposal.admin_id],
  };
  const published_at = toTimestamp(ctx.now());
  if (proposal.is_new) {
    const document = publish ? { ...proposal.document, published_at } : proposal.document;
    return insertExperience(ctx, document, options);
  }
  const row = await lockExperience(ctx, proposal.kind, proposal.experience_id as string);
  if (row.updated_at !== proposal.base_updated_at)
    throw conflict('The draft has changed since this was proposed: reject it, and ask for a new proposal');
  const document = publish ? { ...proposal.document, published_at } : proposal.document;
  return storeDraft(ctx, row, document, 'apply', options);
}

async function decide(
  ctx: Context,
  { id, updated_at, kind, document }: ProposalRow,
  columns: Pick<ProposalRow, 'state'> & Partial<Pick<ProposalRow, 'experience_id' | 'reason'>>,
  details: object = {},
): Promise<ProposalRow> {
  const now = ctx.now();
  const row = await ctx.db
    .updateTable('proposals')
    .set({ ...columns, decided_at: now, decided_by: ctx.actor.id, updated_at: nextUpdatedAt(updated_at, now) })
    .where('account_id', '=', ctx.account.id)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
  const { experience_id } = row;
  const action = columns.state === 'approved' ? 'proposal.approve' : 'proposal.reject';
  const target = { type: 'proposal', id };
  await recordAudit(ctx, action, target, { name: document.name, kind, experience_id, ...details });
  return row;
}
