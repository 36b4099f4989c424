import { type EmbeddedProfile, type Told, timeOfId, toTimestamp } from '@usher/domain';
import { type Context, createContext, type World } from '../../context.ts';
import { FixedQuery } from '../../db/fixed-query.ts';
import { deliveriesOf, presentDelivery } from '../deliveries/queries.ts';
import { embedProfiles } from '../profiles/queries.ts';
import { presentResponses } from '../responses/queries.ts';
import { capProfile } from './cap-profile.ts';
import type { ItemRow } from './queries.ts';

type Item = Pick<ItemRow, 'account_id' | 'id' | 'profile_id' | 'kind' | 'told'>;
type Data = Record<string, unknown>;

/**
 * The `data` of an item as JSON, made when it is sent: of what it tells, as it is then. Undefined where there is nothing
 * to tell any more: the user was forgotten, or the answer deleted.
 */
export async function composeItem(world: World, item: Item): Promise<string | undefined> {
  const ctx = createContext(world, { account: { id: item.account_id }, actor: nobody });
  const data = item.profile_id === null ? await composePing(ctx) : await composeOf(ctx, item, item.profile_id);
  return data && JSON.stringify(data);
}

const nobody = { id: '', name: '', email: '', role: 'viewer' } as const;

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

async function composeOf(ctx: Context, item: Item, profileId: string): Promise<Data | undefined> {
  const { told } = item;
  const profile = await findProfile(ctx, profileId);
  if (!profile) return undefined;
  const data = { ...capProfile(profile), ...(await experienceOf(ctx, told)) };
  if (told.response_id !== undefined) {
    const response = await findResponse(ctx, told.response_id);
    return response && { ...data, response };
  }
  if (told.delivery_id !== undefined) return { ...data, delivery: await findDelivery(ctx, told.delivery_id) };
  const { step = null, button } = told;
  return { ...data, step, ...(button && { button }), action: actionOf(item) };
}

/** What the user did, and when: by the time it is told that may be long ago. */
function actionOf({ id, kind, told }: Item): Data {
  const { group_kind = null, group_id = null, href = null, defer_until } = told;
  return {
    kind: kind.slice(kind.indexOf('.') + 1),
    at: toTimestamp(timeOfId(id)),
    href,
    group_kind,
    group_id,
    ...(defer_until !== undefined && { defer_until: toTimestamp(defer_until) }),
  };
}

const profileById = new FixedQuery((db, account, hole: (name: 'id') => never) =>
  db.selectFrom('profiles').selectAll().where('account_id', '=', account).where('id', '=', hole('id')),
);

/** As the API shows it in full. */
async function findProfile(ctx: Context, id: string): Promise<EmbeddedProfile | undefined> {
  const [profile] = await embedProfiles(ctx, await ctx.run(profileById, { id }), { profile: 'all', company: 'all' });
  return profile;
}

const nameById = new FixedQuery((db, account, hole: (name: 'id') => never, { json }) =>
  db
    .selectFrom('experiences')
    .select((eb) => json.text(eb.ref('draft'), ['name']).as('name'))
    .where('account_id', '=', account)
    .where('id', '=', hole('id')),
);

/** Under its kind. One that is gone is told by what is still known of it. */
async function experienceOf(ctx: Context, { experience_id: id, experience_kind: kind }: Told): Promise<Data> {
  if (id === undefined || kind === undefined) return {};
  const row = await ctx.find(nameById, { id });
  return { [kind]: { id, created_at: toTimestamp(timeOfId(id)), kind, name: row?.name ?? null } };
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
