import { type Content, type Document, findPublishProblems, hasPermission, type Millis } from '@usher/domain';
import type { Context } from '../../context.ts';
import { forbidden, invalid } from '../../errors.ts';
import { newSurveyKey } from '../../pages/survey-key.ts';
import { publishedVersionOf } from '../../published/publication.ts';
import { recordAudit } from '../team/audit/record-audit.ts';
import { loadTranslations } from '../translations/languages/load-texts.ts';
import { allowsGlobals } from './allows-globals.ts';
import { findPublishedCampaigns } from './check-references.ts';
import { timeOf } from './publication-state.ts';
import type { ExperienceRow } from './queries.ts';

/** What a change of `published_at` stores. */
export interface Publish {
  versionId: string | null;
  columns: Partial<ExperienceRow>;
  /** Inserts the version, with the Change that published it. */
  store(changeId: string): Promise<void>;
}

/**
 * Checks and prepares a change of what users see: of `published_at`, and of the end or the archiving of an Experience that
 * is published. Returns what to store for a new `published_at`, or undefined if it does not change. Without `given`, the
 * wanted draft is what is published.
 */
export async function preparePublish(
  ctx: Context,
  row: ExperienceRow,
  wanted: Document,
  given?: Content,
  publishedTogether: ReadonlySet<string> = new Set(),
): Promise<Publish | undefined> {
  const publishedAt = timeOf(wanted.published_at);
  const until = timeOf(wanted.published_until);
  if (publishedAt !== null && until !== null && until <= publishedAt)
    throw invalid('`published_until` must be after `published_at`');
  if (wanted.published_at === row.draft.published_at) {
    await checkEnd(ctx, row, wanted);
    return undefined;
  }
  await checkMayPublish(ctx);
  const none = { version_id: null, published_at: null, next_version_id: null, next_published_at: null };
  const target = { type: row.kind, id: row.id };
  if (publishedAt === null)
    return {
      versionId: null,
      columns: { ...none, ...pause(row, ctx.now()) },
      store: () => recordAudit(ctx, 'experience.unpublish', target),
    };

  // A document may name its own Experience, which is live when users see it.
  const document = given ? { ...given.document, published_at: wanted.published_at } : wanted;
  const campaigns = (await findPublishedCampaigns(ctx, document)).set(row.id, true);
  for (const id of publishedTogether) campaigns.set(id, true);
  const problems = findPublishProblems(document, campaigns, await allowsGlobals(ctx));
  if (problems.length > 0) throw invalid(...problems);
  const { account_id, id } = (await ctx.clock()).newRow();
  const content = { document, translations: given?.translations ?? (await loadTranslations(ctx, row.id)) };
  const live = publishedVersionOf(row, ctx.now());
  const waits = publishedAt > ctx.now() && live !== null;
  return {
    versionId: id,
    columns: {
      ...(waits
        ? { version_id: live, next_version_id: id, next_published_at: publishedAt }
        : { ...none, version_id: id, published_at: publishedAt }),
      ...(document.public_page && { public_key: row.public_key ?? newSurveyKey(account_id) }),
    },
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

/** The version that users saw until the Experience was unpublished, so that it can be resumed. Nobody saw a scheduled version. */
function pause(row: ExperienceRow, now: Millis): Pick<ExperienceRow, 'paused_version_id' | 'paused_at'> | undefined {
  const version = publishedVersionOf({ ...row, published_until: null, archived_at: null }, now);
  return version === null ? undefined : { paused_version_id: version, paused_at: now };
}

/**
 * Checks the permission to end or archive a published Experience, or to undo that, and adds it to the audit log: users
 * stop seeing the Experience, or see it again.
 */
async function checkEnd(ctx: Context, row: ExperienceRow, wanted: Document): Promise<void> {
  const { draft } = row;
  if (!isPublished(row)) return;
  const target = { type: row.kind, id: row.id };
  if (wanted.published_until !== draft.published_until) {
    await checkMayPublish(ctx);
    const published_until = [draft.published_until, wanted.published_until];
    await recordAudit(ctx, 'experience.schedule', target, { published_until });
  }
  if (wanted.archived_at !== draft.archived_at) {
    await checkMayPublish(ctx);
    await recordAudit(ctx, wanted.archived_at === null ? 'experience.restore' : 'experience.archive', target);
  }
}

/** Rejects deleting a published Experience, if only owners may publish. */
export async function checkDeletion(ctx: Context, row: ExperienceRow): Promise<void> {
  if (!isPublished(row)) return;
  await checkMayPublish(ctx);
}

/** Whether a version is published, now or later. Users do not see it if the Experience is archived or has ended. */
export function isPublished({ version_id, next_version_id }: ExperienceRow): boolean {
  return version_id !== null || next_version_id !== null;
}

/** The account decides whether editors may publish. Editors who may not can still save drafts. */
export async function checkMayPublish(ctx: Context): Promise<void> {
  const { role, secret } = ctx.actor;
  const account = ctx.db.selectFrom('accounts').select('who_may_publish').where('id', '=', ctx.account.id);
  const { who_may_publish } = await account.executeTakeFirstOrThrow();
  if (!hasPermission({ role, scope: secret?.scope }, 'publish', who_may_publish))
    throw forbidden(
      'In this account only owners publish, unpublish, archive and delete what is published: save the draft, and ask an owner',
    );
}
