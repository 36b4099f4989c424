import {
  type Browser,
  CUSTOM_TOO_LARGE_MESSAGE,
  checkPageWrite,
  decide,
  describeIgnoredReason,
  describeReason,
  emailKey,
  exceedsCustomLimit,
  explain,
  findHostState,
  type MergedCustom,
  mergeCustom,
  type ProfileItem,
  type StoredUser,
  type VisitInput,
  type VisitOutput,
} from '@usher/domain';
import type { Context } from '../../context.ts';
import { invalid } from '../../errors.ts';
import { noHost, reasonOf } from '../../pages/admit-host.ts';
import { currentAccount } from '../../pages/current-account.ts';
import { JsonBytes } from '../../pages/json-bytes.ts';
import type { PageRequest } from '../../pages/page-request.ts';
import { isWithheld, trustIn } from '../../pages/uid-hash.ts';
import type { PublishedAccount } from '../../published/published-cache.ts';
import { buildDecisionInput } from './build-decision-input.ts';
import { presentContents, presentPending, presentVisitor } from './present-visit.ts';
import { findVisitor, newcomer, type Visitor } from './queries.ts';
import { storedForPage } from './stored-for-page.ts';

/** What this page load would show, and of everything else why not. Nothing is recorded. */
export async function explainVisit(
  { ctx, account: known, host }: PageRequest,
  params: VisitInput,
  input: ProfileItem & { uid: string },
  browser: Browser,
): Promise<JsonBytes> {
  const account = await currentAccount(ctx, known);
  const stored = await findVisitor(ctx, input.uid);
  const now = ctx.now();
  const trust = trustIn(account, params, input, now);
  const before = stored ?? newcomer(ctx, input.uid);
  const { allowed, ignored, pageKeys } = checkPageWrite(await storedFor(ctx, before, input), input, trust);
  const visitor = withSent(before, allowed, browser, (merged) => exceedsCustomLimit(merged, pageKeys, trust));
  const withheld = isWithheld(account, trust.proof !== 'none');
  const apiError = apiErrorOf(account, host?.host);
  const loaded = await buildDecisionInput(ctx, account, visitor, {
    now,
    href: params.href,
    host: host?.host,
    isWithheld: withheld,
    apiError,
  });
  const { person } = loaded;
  const rows = new Map(loaded.deliveries.map((row) => [row.id, row]));
  const names = await namesOf(ctx);
  const explained = explain(
    account,
    person,
    names.map(({ id }) => id),
  );
  const deliveries = explained.deliveries.flatMap(({ reasons, ...decided }) => {
    const row = rows.get(decided.id);
    return row ? { ...presentPending(row, decided, withheld), reasons: reasons.map(describeReason) } : [];
  });
  const byId = new Map(explained.experiences.map((one) => [one.id, one]));
  const explanations: VisitOutput['explanations'] = names.map(({ id, kind, name }) => {
    const { shows = false, reasons = [] } = byId.get(id) ?? {};
    return { id, kind, name, shows, reasons: reasons.map(describeReason) };
  });
  const contents = presentContents(decide(account, person), visitor, loaded);
  return new JsonBytes(
    `{"known":${stored !== undefined},"profile":${JSON.stringify(presentVisitor(visitor))},"deliveries":${JSON.stringify(deliveries)},"experiences":${contents},"explanations":${JSON.stringify(explanations)},"ignored":${JSON.stringify(ignored.map(({ name, reason }) => ({ name, reason: describeIgnoredReason(reason) })))},"withheld":${withheld}}`,
  );
}

/** Like a page load, and with what only the database knows: who holds the email, and what the Company has. */
async function storedFor(ctx: Context, visitor: Visitor, input: ProfileItem): Promise<StoredUser> {
  const stored = storedForPage(visitor, input);
  const { id, uid } = input.company ?? {};
  const holder =
    typeof input.email === 'string' &&
    (await ctx.db
      .selectFrom('profiles')
      .select('id')
      .where('account_id', '=', ctx.account.id)
      .where('email_key', '=', emailKey(input.email))
      .executeTakeFirst());
  const company =
    input.company &&
    (await ctx.db
      .selectFrom('companies')
      .select('custom')
      .where('account_id', '=', ctx.account.id)
      .where(id === undefined ? 'uid' : 'id', '=', id ?? uid ?? '')
      .executeTakeFirst());
  return {
    ...stored,
    emailTaken: holder ? holder.id !== visitor.row.id : false,
    companyCustom: company?.custom ?? {},
  };
}

function apiErrorOf({ urls }: PublishedAccount, host: string | undefined): string | undefined {
  if (host === undefined) return noHost().message;
  const state = findHostState(host, urls);
  return state === 'on' ? undefined : `${host} ${reasonOf(state)}`;
}

/** As the user would be after this page load. */
function withSent(
  visitor: Visitor,
  { email, custom }: ProfileItem,
  browser: Browser,
  isTooLarge: (merged: MergedCustom) => boolean,
): Visitor {
  const merged = mergeCustom(visitor.row.custom, custom);
  if (merged && isTooLarge(merged)) throw invalid(CUSTOM_TOO_LARGE_MESSAGE);
  const told = Object.fromEntries(Object.entries(browser).filter(([, value]) => value !== null));
  const { row } = visitor;
  const known = { email: email === undefined ? row.email : email, custom: merged?.custom ?? row.custom };
  return { ...visitor, row: { ...row, ...told, ...known } };
}

/** All that are not put away. */
async function namesOf(ctx: Context) {
  const rows = await ctx.db
    .selectFrom('experiences')
    .select(['id', 'kind', 'draft'])
    .where('account_id', '=', ctx.account.id)
    .where('archived_at', 'is', null)
    .orderBy('id')
    .execute();
  return rows.map(({ id, kind, draft }) => ({ id, kind, name: draft.name }));
}
