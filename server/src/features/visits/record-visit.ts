import {
  type Browser,
  checkPageWrite,
  decide,
  drawPercent,
  type IgnoredWrite,
  type Millis,
  mergeCustom,
  type PageTrust,
  type ProfileItem,
  type SeenProperty,
  toBrowser,
  toVisitProfileItem,
  type VisitInput,
} from '@usher/domain';
import { ApiError, invalid } from '../../errors.ts';
import { admitHost } from '../../pages/admit-host.ts';
import { currentAccount } from '../../pages/current-account.ts';
import { JsonBytes } from '../../pages/json-bytes.ts';
import type { PageRequest } from '../../pages/page-request.ts';
import { noteSeen } from '../../pages/record-host.ts';
import { isWithheld, trustIn, unproven } from '../../pages/uid-hash.ts';
import { signVisit } from '../../pages/visit-token.ts';
import type { PublishedAccount } from '../../published/published-cache.ts';
import { changeProfiles, type PageWriter } from '../profiles/save-profiles.ts';
import { discovering, SeenValues } from '../properties/seen.ts';
import { buildDecisionInput } from './build-decision-input.ts';
import { dropDeliveries } from './drop-deliveries.ts';
import { explainVisit } from './explain-visit.ts';
import { presentContents, presentLabels, presentPending, presentUnproven, presentVisitor } from './present-visit.ts';
import { makeVisitorAt, newcomer, noteVisit, noteVisitAt, type Visitor } from './queries.ts';
import { newForPage, storedForPage } from './stored-for-page.ts';

type VisitorInput = ProfileItem & { uid: string };

const SURELY_SMALL = 8192;
/** In place of the ID of a profile that is still to be made. */
const NOT_YET = '';

/** Identifies the user of a page, records that it was loaded, and decides what shows. */
export async function recordVisit(page: PageRequest, params: VisitInput): Promise<JsonBytes> {
  const { ctx, host } = page;
  const problems: string[] = [];
  const input = toVisitProfileItem(params, problems, ctx.now());
  // Where an administrator asks, the header tells nothing of the user.
  const browser = toBrowser(params, page.bySecret ? undefined : page.acceptLanguage, problems);
  if (problems.length > 0) throw invalid(...problems);
  if (page.bySecret) return explainVisit(page, params, input, browser);

  const recorded = await record(page, params, input, browser);
  if (!recorded) return answerStranger(page, input, browser);
  const { account, visitor, trust, ignored, now } = recorded;
  for (const { reason } of ignored) ctx.app.pageCounts.add(account.id, reason);
  const isProven = trust.proof !== 'none';
  const withheld = isWithheld(account, isProven);
  if (host) await noteSeen(ctx, account, host.host);
  const loaded = await buildDecisionInput(ctx, account, visitor, {
    now,
    href: params.href,
    host: host?.host,
    isWithheld: withheld,
  });
  const decision = decide(account, loaded.person);
  const dropped = decision.deliveries.flatMap(({ id, dropped }) => (dropped ? id : []));
  if (dropped.length > 0) {
    await dropDeliveries(ctx, visitor.row.id, dropped);
    visitor.row.delivery_ids = visitor.row.delivery_ids.filter((id) => !dropped.includes(id));
  }
  const rows = new Map(loaded.deliveries.map((row) => [row.id, row]));
  const deliveries = decision.deliveries.flatMap((decided) => {
    const row = rows.get(decided.id);
    return row && !decided.dropped ? presentPending(row, decided, withheld) : [];
  });
  const profile = isProven ? presentVisitor(visitor) : presentUnproven(visitor, input, browser);
  const token = signVisit(account.visitKey, { accountId: account.id, profileId: visitor.row.id, at: now, isProven });
  return new JsonBytes(
    `{"profile":${JSON.stringify(profile)},"visit":{"token":"${token}"},"deliveries":${JSON.stringify(deliveries)},"experiences":${presentContents(decision, visitor, loaded)}`,
    ...(decision.experiences.length > 0 ? [presentLabels(visitor)] : []),
    '}',
  );
}

/** Answers a new user whom there is no quota for: nothing was stored, so nothing shows, as it would show on every page. */
function answerStranger({ ctx, account }: PageRequest, input: VisitorInput, browser: Browser): JsonBytes {
  const visitor = newcomer(ctx, input.uid);
  const visit = { accountId: account.id, profileId: visitor.row.id, at: ctx.now(), isProven: false };
  const profile = JSON.stringify(presentUnproven(visitor, input, browser));
  const token = signVisit(account.visitKey, visit);
  return new JsonBytes(`{"profile":${profile},"visit":{"token":"${token}"},"deliveries":[],"experiences":[]}`);
}

interface Recorded {
  /** As it was when the visit was recorded: what was published by then counts. */
  account: PublishedAccount;
  visitor: Visitor;
  trust: PageTrust;
  /** What the page sent and may not change. */
  ignored: readonly IgnoredWrite[];
  now: Millis;
}

/**
 * Nearly every user is known, with all that is sent of it: that takes one statement, which finds nobody when the account
 * is no longer what it was. Else the rest is saved as well. Undefined: the user is new, and over the quota of the day.
 */
async function record(
  page: PageRequest,
  params: VisitInput,
  input: VisitorInput,
  browser: Browser,
): Promise<Recorded | undefined> {
  const { ctx, account: known } = page;
  const now = ctx.now();
  const trust = trustIn(known, params, input, now);
  if ((trust.proof !== 'none' || !known.requireUidHash) && isSurelySaved(input)) {
    const visitor = await noteVisitAt(ctx, known.version, { uid: input.uid, now, ...browser });
    const ignored = visitor && ignoredUnlessNew(visitor, input, trust);
    if (visitor && ignored) return { account: known, visitor, trust, ignored, now };
    const made = visitor ? undefined : await make(page, input, browser, trust);
    if (made) return { account: known, ...made, trust, now: made.visitor.row.updated_at };
  }
  return save(page, params, input, browser);
}

/** What is ignored of a page load that brings nothing to be stored. Undefined: there is something to be stored. */
function ignoredUnlessNew(
  visitor: Visitor,
  input: VisitorInput,
  trust: PageTrust,
): readonly IgnoredWrite[] | undefined {
  if (tellsNothingNew(visitor, input)) return [];
  const { allowed, ignored } = checkPageWrite(storedForPage(visitor, input), input, trust);
  return tellsNothingNew(visitor, allowed) ? ignored : undefined;
}

/** Fast path: a new user without email or Company, and without new Properties, takes one insert. Undefined: it takes more. */
async function make(
  { ctx, account }: PageRequest,
  input: VisitorInput,
  browser: Browser,
  trust: PageTrust,
): Promise<Pick<Recorded, 'visitor' | 'ignored'> | undefined> {
  if (input.email || input.company) return undefined;
  const isLimited = trust.proof === 'none';
  if (isLimited && !ctx.app.pageCounts.hasRoom(account.id, 'profiles')) return undefined;
  const { allowed, ignored, pageKeys } = checkPageWrite(newForPage, input, trust);
  const values = new SeenValues();
  values.add('profile', NOT_YET, allowed.custom);
  const seen = values.list('browser', ctx.now());
  if (!ctx.app.propertyRegistry.has(account.id, seen)) return undefined;
  const custom = mergeCustom({}, allowed.custom)?.text ?? '{}';
  const stored = { percent: drawPercent(), custom, page_keys: JSON.stringify(pageKeys) };
  const visitor = await makeVisitorAt(ctx, account.version, { uid: input.uid, ...stored, ...browser });
  if (!visitor) return undefined;
  if (isLimited) ctx.app.pageCounts.add(account.id, 'profiles');
  ctx.app.propertyRegistry.record(account.id, ofProfile(visitor.row.id, seen));
  return { visitor, ignored };
}

function ofProfile(id: string, seen: readonly SeenProperty[]): SeenProperty[] {
  return seen.map((one) => ({ ...one, samples: one.samples.map((sample) => ({ ...sample, of: id })) }));
}

async function save(
  page: PageRequest,
  params: VisitInput,
  input: VisitorInput,
  browser: Browser,
): Promise<Recorded | undefined> {
  const { ctx } = page;
  let account = await currentAccount(ctx, page.account);
  if (page.host) account = await admitHost(ctx, account, page.host);
  const trust = trustIn(account, params, input, ctx.now());
  if (account.requireUidHash && trust.proof === 'none') throw unproven();
  const isLimited = trust.proof === 'none';
  const onMissing = isLimited && !ctx.app.pageCounts.hasRoom(account.id, 'profiles') ? 'ignore' : 'create';
  const recorded = await discovering(ctx, 'browser', async (ctx, values) => {
    const writer: PageWriter = { trust, ignored: [] };
    const [saved] = await changeProfiles(ctx, [input], onMissing, values, writer);
    if (saved instanceof ApiError) throw saved;
    if (!saved) return undefined;
    // Not before it was made.
    const now = ctx.now();
    const visitor = await noteVisit(ctx, { uid: input.uid, now, ...browser });
    return { account, visitor, trust, ignored: writer.ignored, isNew: writer.isNew, now };
  });
  if (!recorded) ctx.app.pageCounts.add(account.id, 'profiles_quota');
  else if (recorded.isNew && isLimited) ctx.app.pageCounts.add(account.id, 'profiles');
  return recorded;
}

/** Whether what is sent can hardly be refused: else it is saved first, so that a refusal has changed nothing. */
function isSurelySaved({ company, custom }: VisitorInput): boolean {
  return company?.id === undefined && JSON.stringify([custom, company?.custom]).length < SURELY_SMALL;
}

function tellsNothingNew({ row, company: known }: Visitor, { email, company, custom }: ProfileItem): boolean {
  if (email !== undefined && email !== row.email) return false;
  if (mergeCustom(row.custom, custom)) return false;
  if (!company) return company === undefined || row.company_id === null;
  return known !== undefined && known.uid === company.uid && !mergeCustom(known.custom, company.custom);
}
