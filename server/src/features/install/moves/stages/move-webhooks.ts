import { CreateWebhook, compileReader } from '@usher/domain';
import type { Context } from '../../../../context.ts';
import { createWebhook } from '../../../../webhooks/api/create-webhook.ts';
import { sealOwnSecret } from '../../../../webhooks/secret.ts';
import { contextFor, stamp } from '../context-for.ts';
import type { MoveRun } from '../move-run.ts';
import { readParams, readText, readTexts } from '../read-record.ts';
import type { SourceRecord } from '../source.ts';
import { knownExperiences, moveList } from './move-settings.ts';

const readWebhook = compileReader<CreateWebhook>(CreateWebhook);

/** Webhooks send nothing until the move is released: the other service still sends. */
export async function moveWebhooks(run: MoveRun): Promise<void> {
  const records = await run.source.listIfKnown('/v3/edit/webhooks', 'webhooks');
  // The key that secrets are derived from is created when it is first needed, in a transaction of its own.
  if (run.mode !== 'check') await run.ctx.app.publishedCache.account(run.ctx.account.id);
  await moveList(run, 'webhooks', 'webhooks', records, async (ctx, record, problems) => {
    const params = await toParams(ctx, record, problems);
    await createWebhook(contextFor(ctx, record), readParams(readWebhook, params, ctx));
    const secret = run.secrets.webhooks.get(record.id) ?? run.secrets.webhooks.get(readText(record.uid) ?? '');
    if (secret === undefined)
      problems.push('It signs with a new secret: give the old one with --webhook-secret, or rotate it');
    const account = await ctx.app.publishedCache.account(ctx.account.id);
    const own_secret = secret !== undefined && account ? sealOwnSecret(account.visitKey, record.id, secret) : null;
    await stamp(ctx, 'webhooks', record, { enabled: false, own_secret });
    if (record.enabled !== false) run.progress.heldWebhooks = [...run.progress.heldWebhooks, record.id];
  });
}

async function toParams(ctx: Context, record: SourceRecord, problems: string[]): Promise<object> {
  const wanted = readTexts(record.experience_ids);
  const known = await knownExperiences(ctx, wanted);
  if (known.size < wanted.length) problems.push('It names Experiences that are not here');
  return { ...record, url: record.uid ?? record.url, experience_ids: [...known], experience_id: undefined };
}
