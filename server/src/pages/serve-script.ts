import { findHostState, type Host, parsePageHost } from '@usher/domain';
import { hostHash } from '../../../script/src/engine/host-hash.ts';
import { type AppContext, anonymous, type Context, createContext } from '../context.ts';
import { ApiError, noEndpoint } from '../errors.ts';
import { type Encoded, encode, encodedResponse } from '../http/encoded-response.ts';
import { type HttpResponse, responseWith } from '../http/http-response.ts';
import type { Limits } from '../http/limits.ts';
import type { HttpServer } from '../http/server.ts';
import type { PublishedAccount } from '../published/published-cache.ts';
import { admitHost } from './admit-host.ts';
import { currentAccount } from './current-account.ts';
import { readScriptFiles, type ScriptFiles } from './script-files.ts';

const LOADER_IS_KEPT = 'public, max-age=300';
/** Its name changes with its content. */
const FILE_IS_KEPT = 'public, max-age=31536000, immutable';

/** The browser script: a loader for each account, and the files that it loads. */
export function addScript(
  server: HttpServer,
  app: AppContext,
  limits: Limits,
  { folder, url }: { folder: string; url: string | undefined },
): void {
  let built: ScriptFiles | undefined;
  const files = () => {
    built ??= readScriptFiles(folder);
    return built;
  };

  server.add(['GET'], '/script/:name', async (request) => {
    limits.countPage(request.ip);
    const { name = '' } = request.params;
    if (!name.endsWith('.js')) throw noEndpoint();
    const token = name.slice(0, -'.js'.length);
    const account = token.includes('\0') ? undefined : await app.publishedCache.byToken(token);
    if (!account) limits.countWrong(request.ip);
    request.accountId = account?.id;
    const parts = files();
    if (!parts) return sayNone(503, 'this server has no script: run npm run build');
    if (!account) return sayNone(404, 'no account has this token: check the address of the script in your page');
    const ctx = createContext(app, { account, actor: anonymous });
    const current = await withHostOf(ctx, await currentAccount(ctx, account), request.headers.referer);
    const loader = loaderFor(current, parts, url);
    return encodedResponse(request, loader, { ...asScript, 'cache-control': LOADER_IS_KEPT });
  });

  server.add(['GET'], '/script/files/:name', async (request) => {
    limits.countPage(request.ip);
    const file = files()?.byName.get(request.params.name as string);
    if (!file) throw noEndpoint();
    return encodedResponse(request, file, { ...asScript, 'cache-control': FILE_IS_KEPT });
  });
}

const asScript = {
  'content-type': 'text/javascript; charset=utf-8',
  'cross-origin-resource-policy': 'cross-origin',
  'access-control-allow-origin': '*',
};

/** A script that does nothing, for whoever looks why. */
function sayNone(status: number, words: string): HttpResponse {
  return responseWith(status, `// Usher: ${words}\n`, asScript);
}

/** A page on a host that is new sends nothing but this request: by it the host is recorded, so that it can be turned on. */
async function withHostOf(
  ctx: Context,
  account: PublishedAccount,
  referer: string | undefined,
): Promise<PublishedAccount> {
  const host: Host | undefined = referer === undefined ? undefined : parsePageHost(referer);
  if (!host || findHostState(host.host, account.urls) === 'on') return account;
  try {
    return await admitHost(ctx, account, host);
  } catch (error) {
    if (error instanceof ApiError) return account;
    throw error;
  }
}

const loaders = new WeakMap<PublishedAccount, Encoded>();

/** Made once for each version of the account. Without a set address, the script takes that of its own element. */
function loaderFor(account: PublishedAccount, { loader, parts }: ScriptFiles, url: string | undefined): Encoded {
  const ready = loaders.get(account);
  if (ready) return ready;
  // Without the part that runs code of authors, a page cannot run any.
  const { scripts: _, ...withoutScripts } = parts;
  const files = account.allowScripts ? parts : withoutScripts;
  const config = { token: account.token, url, files, hosts: hostHashes(account) };
  const made = encode(`${CALLED_AT_ONCE}window.__usher=${JSON.stringify(config)};\n${loader}`);
  loaders.set(account, made);
  return made;
}

/** Has Chromium compile the functions as the file comes, and not one by one in the page: see script/build.mjs. */
const CALLED_AT_ONCE = '//# allFunctionsCalledOnLoad\n';

/** Names to which pages may belong that are on this machine, as long as nobody has added a domain. */
const loopback = ['localhost', '.localhost', '127.0.0.1', '[::1]'];

/**
 * Of the hosts that are on; with a dot before it, of a domain all whose subdomains are, and with a `!` of those subdomains
 * that are not. Hosts that such a domain takes in are not named again: there can be a thousand.
 */
function hostHashes({ urls }: PublishedAccount): number[] {
  const names = findHostState('localhost', urls) === 'on' && !urls.has('localhost') ? [...loopback] : [];
  for (const [host, { enabled }] of urls) {
    const isOn = findHostState(host, urls) === 'on';
    if (isOn && enabled === 'subdomain') names.push(`.${host}`);
    if (isOn !== isTakenIn(host, urls)) names.push(isOn ? host : `!${host}`);
  }
  return names.map(hostHash);
}

/** Whether a domain above it takes in its subdomains. */
function isTakenIn(host: string, urls: PublishedAccount['urls']): boolean {
  const { enabled = 'off', archived = true } = urls.get(host) ?? {};
  return (
    (enabled === 'subdomain' && !archived) || (host.includes('.') && isTakenIn(host.slice(host.indexOf('.') + 1), urls))
  );
}
