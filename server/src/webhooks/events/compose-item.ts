import {
  type AlertedExperience,
  type Document,
  type EmbeddedProfile,
  kinds,
  type Millis,
  type Step,
  type TargetProblem,
  type TriggeredAlert,
  timeOfId,
  toTimestamp,
  type WebhookPayload,
} from '@usher/domain';
import type { AppContext, Context } from '../../context.ts';
import { anonymous, createContext } from '../../create-context.ts';
import { PreparedStatement } from '../../db/prepared-statement.ts';
import { embedProfiles } from '../../features/audience/profiles/present-profile.ts';
import type { ProfileRow } from '../../features/audience/profiles/queries.ts';
import { presentDelivery } from '../../features/delivery/deliveries/present-delivery.ts';
import { deliveriesOf } from '../../features/delivery/deliveries/queries.ts';
import { presentResponses } from '../../features/results/responses/present-responses.ts';
import { loadUsers } from '../../features/team/persons/load-users.ts';
import { publicationColumns, publishedVersionOf } from '../../published/publication.ts';
import type { ItemRow } from '../queries.ts';
import { truncateProfile } from './truncate-profile.ts';

type Item = Pick<ItemRow, 'account_id' | 'id' | 'profile_id' | 'kind' | 'payload'>;
type Data = Record<string, unknown>;

/**
 * Builds the `data` of an item as JSON, from the records as they are when it is sent. Returns undefined if there is
 * nothing to send any more: the user was forgotten, or the Response deleted.
 */
export async function composeItem(app: AppContext, item: Item): Promise<string | undefined> {
  const ctx = createContext(app, { account: { id: item.account_id }, actor: anonymous });
  const data = item.profile_id === null ? await composeOwn(ctx, item) : await composeEvent(ctx, item, item.profile_id);
  return data && JSON.stringify(data);
}

/** Items that belong to no user. */
async function composeOwn(ctx: Context, { payload }: Item): Promise<Data> {
  if (payload.alert) return presentAlert(payload.alert);
  return payload.problem ? composeTargetMissing(ctx, payload, payload.problem) : composePing(ctx);
}

/** Presents the group and its Experiences as they were when the group was triggered: most of them may have been used since. */
function presentAlert({ group, experiences, experiences_count }: TriggeredAlert): Data {
  return {
    alert_group: group,
    experiences: experiences.map(({ id, kind, name, publishedAt, segmentId, since }) => ({
      ...experienceFields({ id, kind, name, publishedAt, segmentId }),
      since: toTimestamp(since),
    })),
    experiences_count,
  };
}

async function composeTargetMissing(ctx: Context, payload: WebhookPayload, problem: TargetProblem): Promise<Data> {
  const { document, published_at = null } = (await findExperience(ctx, payload)) ?? {};
  const { step } = payload;
  const { title = null, body = null } = document?.steps.find(({ id }) => id === step?.id) ?? {};
  return {
    experience: presentFields(payload, document, published_at),
    step: step ? { ...step, title, body } : null,
    problem: {
      ...problem,
      share: problem.users_count / problem.total_users_count,
      since: toTimestamp(problem.since),
    },
  };
}

async function composePing(ctx: Context): Promise<Data> {
  const { id, name } = await ctx.db
    .selectFrom('accounts')
    .select(['id', 'name'])
    .where('id', '=', ctx.account.id)
    .executeTakeFirstOrThrow();
  const first = await ctx.db
    .selectFrom('urls')
    .select('domain')
    .where('account_id', '=', ctx.account.id)
    .where('archived_at', 'is', null)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  return { account: { id, domain: first?.domain ?? null, name } };
}

async function composeEvent(ctx: Context, item: Item, profileId: string): Promise<Data | undefined> {
  const { payload } = item;
  const profile = await findProfile(ctx, profileId);
  if (!profile) return undefined;
  const experience = await findExperience(ctx, payload);
  const { document } = experience ?? {};
  const data = { ...truncateProfile(profile), ...(await presentExperience(ctx, payload, experience)) };
  if (payload.response_id !== undefined) {
    const response = await findResponse(ctx, payload.response_id);
    return response && { ...data, response };
  }
  if (payload.delivery_id !== undefined) return { ...data, delivery: await findDelivery(ctx, payload.delivery_id) };
  const { step, button } = payload;
  const body = document?.steps.find(({ id }) => id === step?.id)?.body ?? null;
  return { ...data, step: step ? { ...step, body } : null, ...(button && { button }), action: presentAction(item) };
}

/** Presents what the user did, and when: the item may be sent much later. */
function presentAction({ id, kind, payload }: Item): Data {
  const { group_kind = null, group_id = null, href = null, defer_until, defer_hours, defer_count } = payload;
  return {
    id,
    kind: kind.slice(kind.indexOf('.') + 1),
    at: toTimestamp(timeOfId(id)),
    href,
    group_kind,
    group_id,
    ...(defer_until !== undefined && {
      deferred_until: toTimestamp(defer_until),
      deferred_hours: defer_hours ?? null,
      deferred_count: defer_count ?? null,
      // Earlier versions sent only this name, so receivers may still read it.
      defer_until: toTimestamp(defer_until),
    }),
  };
}

const profileById = new PreparedStatement<ProfileRow, 'id'>(
  'select * from profiles where account_id = :account and id = :id',
);

/** Returns the profile with all fields, as the API shows it. */
async function findProfile(ctx: Context, id: string): Promise<EmbeddedProfile | undefined> {
  const [profile] = await embedProfiles(ctx, await ctx.run(profileById, { id }), { profile: 'all', company: 'all' });
  return profile;
}

/** Returns the published version; if there is none, the draft. */
async function findExperience({ account, db, now }: Context, { experience_id: id }: WebhookPayload) {
  if (id === undefined) return undefined;
  const row = await db
    .selectFrom('experiences')
    .select(['draft', ...publicationColumns])
    .where('account_id', '=', account.id)
    .where('id', '=', id)
    .executeTakeFirst();
  const versionId = row && publishedVersionOf(row, now());
  if (!row || !versionId) return row && { document: row.draft, published_at: row.published_at, admin_id: null };
  const version = await db
    .selectFrom('versions')
    .select(['content', 'published_at', 'admin_id'])
    .where('account_id', '=', account.id)
    .where('id', '=', versionId)
    .executeTakeFirst();
  const { content, published_at = row.published_at, admin_id = null } = version ?? {};
  return { document: content?.document ?? row.draft, published_at, admin_id };
}

/**
 * Presents the Experience under its kind, and a survey with its questions and who published it. If it was deleted, only
 * the fields of the item are known.
 */
async function presentExperience(
  ctx: Context,
  { experience_id: id, experience_kind: kind }: WebhookPayload,
  experience: Awaited<ReturnType<typeof findExperience>>,
): Promise<Data> {
  if (id === undefined || kind === undefined) return {};
  const { document, published_at = null, admin_id = null } = experience ?? {};
  const fields = presentFields({ experience_id: id, experience_kind: kind }, document, published_at);
  if (!kinds[kind].asks) return { [kind]: fields };
  const user = (await loadUsers(ctx, [admin_id])).get(admin_id ?? '') ?? null;
  return { [kind]: { ...fields, user, steps: document?.steps.map(presentQuestion) ?? [] } };
}

function presentFields(
  { experience_id: id = '', experience_kind: kind }: WebhookPayload,
  document: Document | undefined,
  publishedAt: Millis | null,
): Data {
  return experienceFields({
    id,
    kind,
    name: document?.name ?? null,
    publishedAt,
    segmentId: document?.segment_ids[0] ?? null,
  });
}

interface ExperienceFields extends Omit<AlertedExperience, 'since' | 'kind' | 'publishedAt'> {
  kind: WebhookPayload['experience_kind'];
  publishedAt: Millis | null;
}

function experienceFields({ id, kind, name, publishedAt, segmentId }: ExperienceFields): Data {
  return {
    id,
    created_at: toTimestamp(timeOfId(id)),
    kind,
    name,
    published_at: publishedAt === null ? null : toTimestamp(publishedAt),
    segment_id: segmentId,
  };
}

/** Presents a step so that a receiver can show an answer beside its question. */
function presentQuestion({ id, title, body, preset, dropdown_items, buttons }: Step) {
  return {
    id,
    title,
    body,
    preset,
    dropdown_items,
    buttons: buttons.map(({ id, position, text }) => ({ id, position, text })),
  };
}

async function findResponse(ctx: Context, id: string): Promise<Data | undefined> {
  const query = ctx.db.selectFrom('responses').selectAll().where('account_id', '=', ctx.account.id);
  const rows = await query.where('id', '=', id).execute();
  const [response] = await presentResponses(ctx, rows, { profile: 'skip', company: 'skip' });
  return response;
}

async function findDelivery(ctx: Context, id: string): Promise<Data> {
  const row = await deliveriesOf(ctx).where('id', '=', id).executeTakeFirst();
  return row ? presentDelivery(row) : { id };
}
