import { CreateWebhook, compileReader } from '@usher/domain';
import type { Context } from '../../../../context.ts';
import { createWebhook } from '../../../../webhooks/api/create-webhook.ts';
import { sealOwnSecret } from '../../../../webhooks/secret.ts';
import { contextFor, stamp } from '../context-for.ts';
import type { MoveRun } from '../move-run.ts';
import { readParams, readText, readTexts } from '../read-record.ts';
import type { SourceRecord } from '../source.ts';
import { moveList } from './move-settings.ts';
import { knownExperiences } from './read-document.ts';

const readWebhook = compileReader<CreateWebhook>(CreateWebhook);

/** Webhooks send nothing until the move is released: the other service still sends. */
export async function moveWebhooks(run: MoveRun): Promise<void> {
  const records = await run.source.listIfKnown('/v3/edit/webhooks', 'webhooks');
  // The key that secrets are derived from is created when it is first needed, in a transaction of its own.
  if (run.mode !== 'check') await run.ctx.app.publishedCache.account(run.ctx.account.id);
  run.begin('webhooks');
  for (const record of records) {
    const secret = secretOf(run, record);
    if (secret !== undefined) await run.storeOne(record.id, (ctx) => keepSecret(ctx, record.id, secret));
  }
  await moveList(run, 'webhooks', 'webhooks', records, async (ctx, record, problems) => {
    const params = await toParams(ctx, record, problems);
    await createWebhook(contextFor(ctx, record), readParams(readWebhook, params, ctx));
    const secret = secretOf(run, record);
    if (secret === undefined)
      problems.push(
        'It signs with a new secret: give that to its receiver, or import again by `usher import v3` with --webhook-secret to keep the old one',
      );
    const own_secret = secret === undefined ? null : await seal(ctx, record.id, secret);
    await stamp(ctx, 'webhooks', record, { enabled: false, own_secret });
    if (record.enabled !== false) run.progress.heldWebhooks = [...run.progress.heldWebhooks, record.id];
  });
}

function secretOf({ secrets: { webhooks } }: MoveRun, { id, uid }: SourceRecord): string | undefined {
  return webhooks.get(id) ?? webhooks.get(readText(uid) ?? '');
}

/** A secret that is given in a later run, for a webhook that no one has rotated. Returns whether there is one. */
async function keepSecret(ctx: Context, id: string, secret: string): Promise<boolean> {
  const { numUpdatedRows } = await ctx.db
    .updateTable('webhooks')
    .set({ own_secret: await seal(ctx, id, secret) })
    .where('account_id', '=', ctx.account.id)
    .where('id', '=', id)
    .where('secret_version', '=', 1)
    .where('own_secret', 'is', null)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

async function seal(ctx: Context, id: string, secret: string): Promise<string | null> {
  const account = await ctx.app.publishedCache.account(ctx.account.id);
  return account ? sealOwnSecret(account.visitKey, id, secret) : null;
}

async function toParams(ctx: Context, record: SourceRecord, problems: string[]): Promise<object> {
  const wanted = readTexts(record.experience_ids);
  const known = await knownExperiences(ctx, wanted);
  if (known.size < wanted.length) problems.push('It names Experiences that are not here');
  return { ...record, url: record.uid ?? record.url, experience_ids: [...known], experience_id: undefined };
}
