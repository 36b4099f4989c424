import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { type Host, hostOfPage, remembered } from '@usher/domain';
import { type Context, createContext, type World } from '../context.ts';
import { forbidden, invalid } from '../errors.ts';
import { admitHost, noHost } from '../features/visits/admit-host.ts';
import { isOver, readVisit, type Visit, visitIsOver } from '../features/visits/visit-token.ts';
import type { LiveAccount } from '../live/live.ts';
import { readBody } from './body.ts';
import type { Admit, Counted, Limits } from './limits.ts';
import { PageText } from './page-text.ts';
import { queryOf } from './query-string.ts';
import type { PageRoute } from './route.ts';
import type { Traffic } from './traffic.ts';

type Given = Record<string, unknown>;

/** A request of a page, before anything is known of it. */
export class PageAsked implements Counted {
  readonly headers: IncomingHttpHeaders;
  readonly url: string | undefined;
  readonly ip: string;
  readonly body: Buffer;
  countedSecret: string | undefined = undefined;
  /** Once it is known. */
  accountId: string | undefined = undefined;

  constructor({ headers, url }: IncomingMessage, ip: string, body: Buffer) {
    this.headers = headers;
    this.url = url;
    this.ip = ip;
    this.body = body;
  }
}

/** What it answers, as JSON. */
export type AnswerPage = (asked: PageAsked) => Promise<Buffer>;

interface PageGround {
  world: World;
  admit: Admit;
  limits: Limits;
  traffic: Traffic;
}

/** From a request of a page to its answer: which account, on which host, then the verb. */
export function answerPage(route: PageRoute, { world, admit, limits, traffic }: PageGround): AnswerPage {
  return async (request) => {
    traffic.others.note();
    const fields = await readBody(request.body, (request.headers['content-type'] ?? '').trim());
    const given: Given = Object.assign(Object.create(null), queryOf(request.url), fields);
    const reading = route.read(given, world.now());
    const bySecret = 'value' in reading && route.bySecret(reading.value);
    const asked = bySecret
      ? await accountBySecret(world, admit, given, request)
      : await (route.needs === 'visit' ? accountByVisit(world, given) : accountByToken(world, given));
    const { visit } = asked;
    let { account } = asked;
    request.accountId = account.id;
    if (!bySecret) limits.countPage(account.id, request.ip);
    if ('problems' in reading) throw invalid(...reading.problems);

    const host = hostOf(request.headers.origin) ?? hostOf(reading.value.href);
    const ctx = contextOf(world, account);
    if (host && !bySecret) account = await admitHost(ctx, account, host);
    else if (!visit && !bySecret) throw noHost();
    const acceptLanguage = request.headers['accept-language'];
    const answer = await route.run({ ctx, account, visit, host, acceptLanguage, bySecret }, reading.value);
    return answer instanceof PageText ? answer.bytes : Buffer.from(JSON.stringify(answer));
  };
}

interface Asked {
  account: LiveAccount;
  visit?: Visit;
}

async function accountByToken({ live }: World, { account_token: token }: Given): Promise<Asked> {
  if (typeof token !== 'string' || token === '')
    throw forbidden('Give the public token of the account as `account_token`');
  // No token has one, and not every database can be asked for it.
  const account = token.includes('\0') ? undefined : await live.byToken(token);
  if (!account) throw forbidden('There is no account with this `account_token`: check the script on your page');
  return { account };
}

async function accountByVisit({ live, now }: World, { visit_token: token }: Given): Promise<Asked> {
  if (typeof token !== 'string' || token === '')
    throw forbidden('Give the token of the visit, as `POST /v3/observe/visits` answered it, as `visit_token`');
  const read = readVisit(token);
  const account = read && (await live.account(read.visit.accountId));
  if (!account || !read.isSignedBy(account.visitKey)) throw forbidden('This `visit_token` is not valid');
  if (isOver(read.visit, now())) throw visitIsOver();
  return { account, visit: read.visit };
}

/** The public token may be left out then; a wrong one is still wrong. */
async function accountBySecret(world: World, admit: Admit, given: Given, request: PageAsked): Promise<Asked> {
  const { account } = await admit(request.headers['x-account-secret'] || given.account_secret, request);
  const asked = given.account_token === undefined ? undefined : await accountByToken(world, given);
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
