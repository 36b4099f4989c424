import { type Host, hostOfPage } from '@usher/domain';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Context, createContext, type World } from '../context.ts';
import { forbidden, invalid } from '../errors.ts';
import { admitHost, noHost } from '../features/visits/admit-host.ts';
import { isOver, readVisit, type Visit, visitIsOver } from '../features/visits/visit-token.ts';
import type { LiveAccount } from '../live/live.ts';
import { readBody } from './body.ts';
import type { Admit, Limits } from './limits.ts';
import { queryOf } from './query-string.ts';
import { type PageRoute, PageText } from './route.ts';
import type { Traffic } from './traffic.ts';

type Given = Record<string, unknown>;

interface PageGround {
  world: World;
  admit: Admit;
  limits: Limits;
  traffic: Traffic;
}

const LIMIT_HEADERS = 'X-Ratelimit-Limit, X-Ratelimit-Wait, Retry-After';

/** Registers what pages call: from every origin, without cookies, so that any origin may read the answers. */
export function registerPageRoutes(pages: FastifyInstance, routes: readonly PageRoute[], ground: PageGround): void {
  pages.addHook('onSend', (_request, reply, _payload, done) => {
    reply.header('access-control-allow-origin', '*');
    if (reply.statusCode === 429) reply.header('access-control-expose-headers', LIMIT_HEADERS);
    done();
  });
  for (const route of routes) {
    pages.post(route.path, answerPage(route, ground));
    pages.options(route.path, (_request, reply) => {
      reply
        .code(204)
        .header('access-control-allow-methods', 'POST')
        .header('access-control-allow-headers', 'content-type')
        .header('access-control-max-age', '86400')
        .send();
    });
  }
}

/** From a request of a page to its answer: which account, on which host, then the verb. */
function answerPage(route: PageRoute, { world, admit, limits, traffic }: PageGround) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    traffic.noteOther();
    const fields = await readBody(request.body as Buffer | undefined, request.givenMediaType);
    const given: Given = Object.assign(Object.create(null), queryOf(request.raw.url), fields);
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
    reply.code(route.status);
    if (!(answer instanceof PageText)) return answer;
    reply.type('application/json; charset=utf-8');
    return answer.json;
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
async function accountBySecret(world: World, admit: Admit, given: Given, request: FastifyRequest): Promise<Asked> {
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

const MOST_KNOWN = 10_000;
const LONGEST_KNOWN = 300;
const hosts = new Map<string, Host | undefined>();

/** Most pages are on hosts that were asked for a moment ago: reading one anew takes as long as a small query. */
function hostOf(address: unknown): Host | undefined {
  if (typeof address !== 'string') return undefined;
  const [origin] = /^[^/]*\/\/[^/?#]*/.exec(address) ?? [];
  if (origin === undefined) return undefined;
  if (hosts.has(origin)) return hosts.get(origin);
  const host = hostOfPage(origin);
  if (origin.length > LONGEST_KNOWN) return host;
  if (hosts.size >= MOST_KNOWN) hosts.clear();
  hosts.set(origin, host);
  return host;
}
