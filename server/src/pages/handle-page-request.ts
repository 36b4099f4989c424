import { type Host, hostOfPage, remembered } from '@usher/domain';
import { type Context, createContext, type World } from '../context.ts';
import { forbidden, invalid, type Refusal } from '../errors.ts';
import { readBody } from '../http/body.ts';
import { type Asked, takeInBody } from '../http/http-request.ts';
import { jsonReply, Reply, replyWith } from '../http/http-response.ts';
import type { Admit, Limits } from '../http/limits.ts';
import { queryOf } from '../http/query-string.ts';
import type { Traffic } from '../http/request-queues.ts';
import type { PageRoute } from '../http/route.ts';
import type { Handler } from '../http/server.ts';
import type { LiveAccount } from '../published/published-cache.ts';
import { admitHost, noHost } from './admit-host.ts';
import { currentAccount } from './current-account.ts';
import { PageText } from './json-bytes.ts';
import { unproven } from './uid-hash.ts';
import { isOver, readVisit, type Visit, visitIsOver } from './visit-token.ts';

/** Above what a page has to say of a user, and far below what an API client may send. */
const LARGEST_PAGE_BODY = 128 * 1024;

type Given = Record<string, unknown>;

interface PageGround {
  world: World;
  admit: Admit;
  limits: Limits;
  traffic: Traffic;
}

/** From a request of a page to its answer: which account, on which host, then the verb. */
export function answerPage(route: PageRoute, ground: PageGround): Handler {
  const { world, limits, traffic } = ground;
  const bodyLimits = { size: LARGEST_PAGE_BODY, patience: traffic.patience };
  return async (asked) => {
    limits.countPage(asked.ip);
    traffic.others.note();
    const { url, headers } = asked;
    const fields = await readBody(await takeInBody(asked, bodyLimits), asked.mediaType);
    const given: Given = Object.assign(Object.create(null), queryOf(url), fields);
    const reading = route.read(given, world.now());
    const bySecret = 'value' in reading && route.bySecret(reading.value);
    const page = bySecret
      ? await accountBySecret(ground, given, asked)
      : await (route.needs === 'visit' ? accountByVisit(ground, given, asked) : accountByToken(ground, given, asked));
    const { visit } = page;
    let { account } = page;
    asked.accountId = account.id;
    if ('problems' in reading) throw invalid(...reading.problems);

    const host = hostOf(headers.origin) ?? hostOf(reading.value.href);
    const ctx = contextOf(world, account);
    if (host && !bySecret) account = await admitHost(ctx, account, host);
    else if (!visit && !bySecret) throw noHost();
    const acceptLanguage = headers['accept-language'];
    const answer = await route.run({ ctx, account, visit, host, acceptLanguage, bySecret, limits }, reading.value);
    return answer instanceof PageText ? new Reply(route.status, answer.bytes) : jsonReply(route.status, answer);
  };
}

/** Which methods and headers a page of another origin may use. */
export const answerPreflight: Handler = async ({ incoming }) => {
  // What it may send along is not read.
  incoming.resume();
  return replyWith(204, '', {
    'access-control-allow-methods': 'POST',
    'access-control-allow-headers': 'content-type',
    'access-control-max-age': 86400,
  });
};

interface AskedFor {
  account: LiveAccount;
  visit?: Visit;
}

async function accountByToken(ground: PageGround, { account_token: token }: Given, asked: Asked): Promise<AskedFor> {
  if (typeof token !== 'string' || token === '')
    throw forbidden('Give the public token of the account as `account_token`');
  // No token has one, and not every database can be asked for it.
  const account = token.includes('\0') ? undefined : await ground.world.live.byToken(token);
  if (!account)
    throw wrongToken(ground, asked, 'There is no account with this `account_token`: check the script on your page');
  return { account };
}

async function accountByVisit(ground: PageGround, { visit_token: token }: Given, asked: Asked): Promise<AskedFor> {
  const { live, now } = ground.world;
  if (typeof token !== 'string' || token === '')
    throw forbidden('Give the token of the visit, as `POST /v3/observe/visits` answered it, as `visit_token`');
  const read = readVisit(token);
  const account = read && (await live.account(read.visit.accountId));
  if (!account || !read.isSignedBy(account.visitKey))
    throw wrongToken(ground, asked, 'This `visit_token` is not valid');
  const { visit } = read;
  if (isOver(visit, now())) throw visitIsOver();
  if (visit.isProven) return { account, visit };
  // The account may require a proof since, and no page load may have told this process.
  const current = await currentAccount(contextOf(ground.world, account), account);
  if (current.requireUidHash) throw unproven();
  return { account: current, visit };
}

/** A client that sends many of them is guessing. */
function wrongToken({ limits }: PageGround, { ip }: Asked, message: string): Refusal {
  limits.countWrong(ip);
  return forbidden(message);
}

/** The public token may be left out then; a wrong one is still wrong. */
async function accountBySecret(ground: PageGround, given: Given, request: Asked): Promise<AskedFor> {
  const { world, admit } = ground;
  const { account } = await admit(request.headers['x-account-secret'] || given.account_secret, request);
  const asked = given.account_token === undefined ? undefined : await accountByToken(ground, given, request);
  if (asked && asked.account.id !== account.id)
    throw forbidden('`account_token` and the secret are of different accounts');
  const live = asked?.account ?? (await world.live.account(account.id));
  if (!live) throw forbidden('This account is gone');
  return { account: live };
}

const nobody = { id: '', name: '', email: '', role: 'viewer' } as const;
const contexts = new WeakMap<LiveAccount, Context>();

/** The same for all pages of an account: making one takes as long as a small query. */
function contextOf(world: World, account: LiveAccount): Context {
  const ctx = contexts.get(account) ?? createContext(world, { account: { id: account.id }, actor: nobody });
  contexts.set(account, ctx);
  return ctx;
}

const hostOfOrigin = remembered(hostOfPage);

/** Most pages are on hosts that were asked for a moment ago: reading one anew takes as long as a small query. */
function hostOf(address: unknown): Host | undefined {
  const [origin] = (typeof address === 'string' && /^[^/]*\/\/[^/?#]*/.exec(address)) || [];
  return origin === undefined ? undefined : hostOfOrigin(origin);
}
