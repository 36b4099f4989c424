import { emailKey, type Host, readHost, type SignedIn } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { createContext } from '../../../create-context.ts';
import { conflict, invalid } from '../../../errors.ts';
import type { OpenRequest, ResponseWithStatus } from '../../../http/route.ts';
import { demoEnvironment } from '../../install/demo/set-up-demo.ts';
import { createUrlGroup } from '../../install/url-groups/create-url-group.ts';
import { changeUrls } from '../../install/urls/change-urls.ts';
import { createUrl } from '../../install/urls/create-url.ts';
import type { UrlRow } from '../../install/urls/queries.ts';
import { changeAccount } from '../accounts/update-account.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { checkNewPassword } from '../persons/check-new-password.ts';
import { findPerson } from '../persons/queries.ts';
import { startSession } from '../sessions/start-session.ts';
import { deadLink, findLink, hasPassword, useLink } from './queries.ts';

const production = { name: 'Production', short_name: 'PRO', style_short_name_color: 'C2322B' };

interface Setup {
  token: string;
  name: string;
  email: string;
  password: string;
  product_name: string;
  domain?: string | null;
}

/** The first sign-in on this server: the owner of the first account says who they are and what their product is. */
export async function setUp({ app, request }: OpenRequest, setup: Setup): Promise<ResponseWithStatus<SignedIn>> {
  const { token, name, email, password, product_name } = setup;
  const link = await findLink(app, token, 'setup');
  const { account_id: accountId, person_id: personId } = link;
  if (accountId === null || personId === null) throw deadLink();
  const host = readDomain(setup.domain ?? '');
  checkNewPassword(password, setup);
  const password_hash = await app.passwords.hash(password);
  const actor = { id: await findOwner({ app }, accountId, personId), role: 'owner' } as const;

  await createContext(app, { account: { id: accountId }, actor }, request).transaction(async (ctx) => {
    // Urls are locked before the clock, as by every other write.
    const known = host ? await lockUrlsOf(ctx, host) : [];
    await ctx.clock();
    await useLink(ctx, link);
    // Two nodes may have printed a link each.
    if (await hasPassword(ctx.db)) throw deadLink();
    const taken = await findPerson(ctx.db, email);
    if (taken && taken.id !== personId)
      throw conflict('Somebody else on this server has this email: use `npx usher admin reset-link` for them instead');
    await ctx.db
      .updateTable('people')
      .set({ name, email, email_key: emailKey(email), password_hash, updated_at: ctx.now() })
      .where('id', '=', personId)
      .execute();
    await changeAccount(ctx, { name: product_name });
    if (host) await turnOn(ctx, host, known);
    await recordAudit(ctx, 'account.create', { type: 'account', id: accountId });
  });
  return startSession(app, request, { id: personId, password_hash }, { accountId });
}

async function findOwner({ app }: Pick<OpenRequest, 'app'>, accountId: string, personId: string): Promise<string> {
  const admins = app.storage.reader(null).selectFrom('admins').select('id').where('account_id', '=', accountId);
  const owner = await admins.where('person_id', '=', personId).where('removed_at', 'is', null).executeTakeFirst();
  if (!owner) throw deadLink();
  return owner.id;
}

/** Owners copy the address of their product from the browser, so a whole URL is accepted too, also with a port. */
function readDomain(text: string): Host | undefined {
  const bare = text
    .trim()
    .replace(/^https?:\/\//i, '')
    .replace(/[/?#].*$/s, '')
    .replace(/:\d*$/, '');
  if (bare === '') return undefined;
  const host = readHost(bare);
  if ('problem' in host) throw invalid(`\`domain\` ${host.problem}`);
  return host;
}

function lockUrlsOf(ctx: Context, { host }: Host): Promise<UrlRow[]> {
  const urls = ctx.db.selectFrom('urls').selectAll().where('account_id', '=', ctx.account.id).where('host', '=', host);
  return ctx.dialect.lockRows(urls).execute();
}

async function turnOn(ctx: Context, { host }: Host, known: UrlRow[]): Promise<void> {
  // A domain without an Environment would show Experiences of every Environment, and one of the demo only those of the demo.
  const url_group_id = (await findOwnGroup(ctx, known[0])) ?? (await createUrlGroup(ctx, production)).id;
  if (known.length > 0) await changeUrls(ctx, known, { enabled: 'on', archived_at: null, url_group_id });
  else await createUrl(ctx, { host, enabled: 'on', url_group_id });
}

/** The Environment of a known domain, unless the demo has put it there. */
async function findOwnGroup(ctx: Context, known: UrlRow | undefined): Promise<string | undefined> {
  if (!known?.url_group_id) return undefined;
  const group = await ctx.db
    .selectFrom('url_groups')
    .select(['id', 'name'])
    .where('account_id', '=', ctx.account.id)
    .where('id', '=', known.url_group_id)
    .executeTakeFirst();
  return group?.name === demoEnvironment.name ? undefined : group?.id;
}
