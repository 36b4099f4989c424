import { type Document, findPublishProblems, hasPermission } from '@usher/domain';
import type { Context } from '../../context.ts';
import { forbidden, invalid } from '../../errors.ts';
import { publishedVersionOf } from '../../published/publication.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { loadTranslations } from '../languages/load-texts.ts';
import { findPublishedCampaigns } from './check-references.ts';
import { type ExperienceRow, timeOf } from './queries.ts';

/** What a change of `published_at` stores. */
export interface Publish {
  versionId: string | null;
  columns: Partial<Pick<ExperienceRow, 'version_id' | 'published_at' | 'next_version_id' | 'next_published_at'>>;
  /** Inserts the version, with the Change that published it. */
  store(changeId: string): Promise<void>;
}

/** Checks and prepares a change of `published_at`. Returns undefined if it does not change. */
export async function preparePublish(ctx: Context, row: ExperienceRow, wanted: Document): Promise<Publish | undefined> {
  const publishedAt = timeOf(wanted.published_at);
  const until = timeOf(wanted.published_until);
  if (publishedAt !== null && until !== null && until <= publishedAt)
    throw invalid('`published_until` must be after `published_at`');
  if (wanted.published_at === row.draft.published_at) return undefined;
  await checkMayPublish(ctx);
  const none = { version_id: null, published_at: null, next_version_id: null, next_published_at: null };
  const target = { type: row.kind, id: row.id };
  if (publishedAt === null)
    return { versionId: null, columns: none, store: () => recordAudit(ctx, 'experience.unpublish', target) };

  // A document may name its own Experience, which is live when users see it.
  const campaigns = (await findPublishedCampaigns(ctx, wanted)).set(row.id, true);
  const problems = findPublishProblems(wanted, campaigns);
  if (problems.length > 0) throw invalid(...problems);
  const { account_id, id } = (await ctx.clock()).newRow();
  const content = { document: wanted, translations: await loadTranslations(ctx, row.id) };
  const live = publishedVersionOf(row, ctx.now());
  const waits = publishedAt > ctx.now() && live !== null;
  return {
    versionId: id,
    columns: waits
      ? { version_id: live, next_version_id: id, next_published_at: publishedAt }
      : { ...none, version_id: id, published_at: publishedAt },
    store: async (changeId) => {
      await ctx.db
        .insertInto('versions')
        .values({
          account_id,
          id,
          experience_id: row.id,
          change_id: changeId,
          admin_id: ctx.actor.id,
          published_at: publishedAt,
          content: JSON.stringify(content),
        })
        .execute();
      await recordAudit(ctx, 'experience.publish', target, { version_id: id, published_at: wanted.published_at });
    },
  };
}

/** The account decides whether editors may publish. Whoever may not still saves drafts. */
export async function checkMayPublish(ctx: Context): Promise<void> {
  const { role, secret } = ctx.actor;
  const account = ctx.db.selectFrom('accounts').select('who_may_publish').where('id', '=', ctx.account.id);
  const { who_may_publish } = await account.executeTakeFirstOrThrow();
  if (!hasPermission({ role, scope: secret?.scope }, 'publish', who_may_publish))
    throw forbidden('In this account only owners publish and unpublish: save the draft, and ask an owner');
}
