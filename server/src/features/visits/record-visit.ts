import {
  type Browser,
  decide,
  drawPercent,
  type Millis,
  mergeCustom,
  type ProfileItem,
  type SeenProperty,
  type SentVisit,
  toBrowser,
  toVisitor,
} from '@usher/domain';
import { invalid, Refusal } from '../../errors.ts';
import type { PageRequest } from '../../http/page-request.ts';
import { PageText } from '../../http/page-text.ts';
import type { LiveAccount } from '../../live/live.ts';
import { changeProfiles } from '../profiles/save-profiles.ts';
import { discovering, SeenValues } from '../properties/seen.ts';
import { admitHost } from './admit-host.ts';
import { currentAccount } from './current-account.ts';
import { dropDeliveries } from './drop-deliveries.ts';
import { explainVisit } from './explain-visit.ts';
import { noteSeen } from './note-host.ts';
import { load } from './person.ts';
import { presentContents, presentLabels, presentPending, presentUnproven, presentVisitor } from './present-visit.ts';
import { makeVisitorAt, noteVisit, noteVisitAt, type Visitor } from './queries.ts';
import { isProven, unproven } from './uid-hash.ts';
import { signVisit } from './visit-token.ts';

type Sent = ProfileItem & { uid: string };

const SURELY_SMALL = 8192;
/** In place of the ID of a profile that is still to be made. */
const NOT_YET = '';

/** Identifies the user of a page, records that it was loaded, and decides what shows. */
export async function recordVisit(page: PageRequest, given: SentVisit): Promise<PageText> {
  const { ctx, host } = page;
  const problems: string[] = [];
  const sent = toVisitor(given, problems);
  // Where an administrator asks, the header tells nothing of the user.
  const browser = toBrowser(given, page.bySecret ? undefined : page.acceptLanguage, problems);
  if (problems.length > 0) throw invalid(...problems);
  if (page.bySecret) return explainVisit(page, given.href, sent, browser);

  const { account, visitor, proven, now } = await record(page, given, sent, browser);
  if (host) await noteSeen(ctx, account, host.host);
  const loaded = await load(ctx, account, visitor, { now, href: given.href, host: host?.host });
  const decision = decide(account, loaded.person);
  const dropped = decision.deliveries.flatMap(({ id, dropped }) => (dropped ? id : []));
  if (dropped.length > 0) {
    await dropDeliveries(ctx, visitor.row.id, dropped);
    visitor.row.delivery_ids = visitor.row.delivery_ids.filter((id) => !dropped.includes(id));
  }
  const rows = new Map(loaded.deliveries.map((row) => [row.id, row]));
  const deliveries = decision.deliveries.flatMap((decided) => {
    const row = rows.get(decided.id);
    return row && !decided.dropped ? presentPending(row, decided) : [];
  });
  const profile = proven ? presentVisitor(visitor) : presentUnproven(visitor, sent);
  const token = signVisit(account.visitKey, { accountId: account.id, profileId: visitor.row.id, at: now });
  return new PageText(
    `{"profile":${JSON.stringify(profile)},"visit":{"token":"${token}"},"deliveries":${JSON.stringify(deliveries)},"experiences":${presentContents(decision, visitor, loaded)}`,
    ...(decision.experiences.length > 0 ? [presentLabels(visitor)] : []),
    '}',
  );
}

interface Recorded {
  /** As it was when the visit was recorded: what was published by then counts. */
  account: LiveAccount;
  visitor: Visitor;
  /** The `uid` is known to be right. */
  proven: boolean;
  now: Millis;
}

/**
 * Nearly every user is known, with all that is sent of it: that takes one statement, which finds nobody when the account
 * is no longer what it was. Else the rest is saved as well.
 */
async function record(page: PageRequest, given: SentVisit, sent: Sent, browser: Browser): Promise<Recorded> {
  const { ctx, account: known } = page;
  const now = ctx.now();
  const proven = isProven(known, given, now);
  if ((proven || !known.requireUidHash) && isSurelySaved(sent)) {
    const visitor = await noteVisitAt(ctx, known.version, { uid: sent.uid, now, ...browser });
    if (visitor && tellsNothingNew(visitor, sent)) return { account: known, visitor, proven, now };
    const made = visitor ? undefined : await make(page, sent, browser);
    if (made) return { account: known, visitor: made, proven, now: made.row.updated_at };
  }
  return save(page, given, sent, browser);
}

/** A user who is new, but for whom nothing else is: that takes one statement too. Undefined: it takes more. */
async function make({ ctx, account }: PageRequest, sent: Sent, browser: Browser): Promise<Visitor | undefined> {
  if (sent.email || sent.company) return undefined;
  const values = new SeenValues();
  values.add('profile', NOT_YET, sent.custom);
  const seen = values.list('browser', ctx.now());
  if (!ctx.discovery.knows(account.id, seen)) return undefined;
  const custom = mergeCustom({}, sent.custom)?.text ?? '{}';
  const row = { uid: sent.uid, percent: drawPercent(), custom };
  const visitor = await makeVisitorAt(ctx, account.version, { ...row, ...browser });
  if (visitor) ctx.discovery.note(account.id, ofProfile(visitor.row.id, seen));
  return visitor;
}

function ofProfile(id: string, seen: readonly SeenProperty[]): SeenProperty[] {
  return seen.map((one) => ({ ...one, samples: one.samples.map((sample) => ({ ...sample, of: id })) }));
}

async function save(page: PageRequest, given: SentVisit, sent: Sent, browser: Browser): Promise<Recorded> {
  const { ctx } = page;
  let account = await currentAccount(ctx, page.account);
  if (page.host) account = await admitHost(ctx, account, page.host);
  const proven = isProven(account, given, ctx.now());
  if (account.requireUidHash && !proven) throw unproven();
  return discovering(ctx, 'browser', async (ctx, values) => {
    const [saved] = await changeProfiles(ctx, [sent], 'create', values);
    if (saved instanceof Refusal) throw saved;
    // Not before it was made.
    const now = ctx.now();
    const visitor = await noteVisit(ctx, { uid: sent.uid, now, ...browser });
    return { account, visitor, proven, now };
  });
}

/** Whether what is sent can hardly be refused: else it is saved first, so that a refusal has changed nothing. */
function isSurelySaved({ company, custom }: Sent): boolean {
  return company?.id === undefined && JSON.stringify([custom, company?.custom]).length < SURELY_SMALL;
}

function tellsNothingNew({ row, company: known }: Visitor, { email, company, custom }: Sent): boolean {
  if (email !== undefined && email !== row.email) return false;
  if (mergeCustom(row.custom, custom)) return false;
  if (!company) return company === undefined || row.company_id === null;
  return known !== undefined && known.uid === company.uid && !mergeCustom(known.custom, company.custom);
}
