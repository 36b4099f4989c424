import { findHostState, type Host, parsePageHost } from '@usher/domain';
import { hostHash } from '../../../script/src/engine/host-hash.ts';
import type { ShowReason } from '../../../script/src/index.d.ts';
import type { AppContext, Context } from '../context.ts';
import { anonymous, createContext } from '../create-context.ts';
import { ApiError, noEndpoint } from '../errors.ts';
import { type EncodedText, encodedResponse, encodeText } from '../http/encoded-response.ts';
import type { Handler } from '../http/endpoint.ts';
import type { HttpRequest } from '../http/http-request.ts';
import { type HttpResponse, responseWith } from '../http/http-response.ts';
import type { Limits } from '../http/limits.ts';
import type { HttpServer } from '../http/server.ts';
import type { PublishedAccount } from '../published/published-account.ts';
import type { ScriptAlias } from '../settings/read-script-aliases.ts';
import { admitHost } from './admit-host.ts';
import { currentAccount } from './current-account.ts';
import { isWatched } from './installation-log.ts';
import type { ScriptFiles } from './script-files.ts';

/** The name of a file changes with its content. */
const FILE_CACHE_CONTROL = 'public, max-age=31536000, immutable';

/** The browser script: a loader for each account, and the files that it loads. */
export function addScript(
  server: HttpServer,
  app: AppContext,
  limits: Limits,
  {
    files,
    url,
    aliases,
  }: { files: () => ScriptFiles | undefined; url: string | undefined; aliases: readonly ScriptAlias[] },
): void {
  const options = { isPageLoad: true, isForPages: true };
  const serveLoader = async (
    request: HttpRequest,
    token: string,
    { atRoot, belowBasePath }: LoadersOfPath,
  ): Promise<HttpResponse> => {
    const account = token.includes('\0') ? undefined : await app.publishedCache.byToken(token);
    if (!account) limits.countWrong(request.ip);
    request.accountId = account?.id;
    const parts = files();
    if (!parts) return emptyScript(503, 'this server has no script: run npm run build');
    if (!account) return responseWith(200, unknownTokenScript, scriptHeaders);
    const ctx = createContext(app, { account, actor: anonymous });
    const { referer } = request.headers;
    const host = referer === undefined ? undefined : parsePageHost(referer);
    const current = await recordHost(ctx, await currentAccount(ctx, account), host);
    const isOn = !!host && findHostState(host.host, current.urls) === 'on';
    const loaders = request.isBelowBasePath ? belowBasePath : atRoot;
    const loader = loaders[isOn ? 'plain' : 'explained'](current, parts);
    if (!isWatched(current, app.now())) return encodedResponse(request, loader, loaderHeaders);
    logScript(ctx, host, isOn, request.headers);
    return encodedResponse(request, loader, watchedLoaderHeaders);
  };
  const ownLoaders = createLoadersOfPath({ url });
  const serveOwnLoader: Handler = async (request) => {
    limits.countPage(request.ip);
    const { name = '' } = request.params;
    if (!name.endsWith('.js')) throw noEndpoint();
    return serveLoader(request, name.slice(0, -'.js'.length), ownLoaders);
  };
  server.add(['GET'], '/script/:name', serveOwnLoader, options);

  for (const alias of aliases) {
    const loaders = createLoadersOfPath({ url, alias });
    const serveAlias: Handler = async (request) => {
      limits.countPage(request.ip);
      return serveLoader(request, request.params.token ?? '', loaders);
    };
    server.add(['GET'], alias.path, serveAlias, options);
  }

  const serveFile: Handler = async (request) => {
    limits.countPage(request.ip);
    const file = files()?.byName.get(request.params.name ?? '');
    if (!file) throw noEndpoint();
    return encodedResponse(request, file, { ...scriptHeaders, 'cache-control': FILE_CACHE_CONTROL });
  };
  server.add(['GET'], '/script/files/:name', serveFile, options);
}

const scriptHeaders = {
  'content-type': 'text/javascript; charset=utf-8',
  'cross-origin-resource-policy': 'cross-origin',
  'access-control-allow-origin': '*',
};
const loaderHeaders = { ...scriptHeaders, 'cache-control': 'public, max-age=300' };
/** Somebody who installs the script should see the effect of a change with the next page load. */
const watchedLoaderHeaders = { ...scriptHeaders, 'cache-control': 'no-cache' };

/** Records that a page has loaded the script. Without this, nobody sees pages that never identify a user. */
function logScript(
  { app, account }: Context,
  host: Host | undefined,
  isOn: boolean,
  { 'user-agent': userAgent }: HttpRequest['headers'],
): void {
  const message = host ? `${host.host} is turned off` : 'The browser does not say which page has loaded the script';
  app.installationLog.add(account.id, {
    kind: 'script',
    host: host?.host,
    userAgent,
    outcome: isOn ? 'accepted' : host ? 'rejected' : 'partly',
    messages: isOn ? [] : [message],
  });
}

/** A script with nothing but a comment, which says why. Browsers do not run it, because its status is an error. */
function emptyScript(status: number, reason: string): HttpResponse {
  return responseWith(status, `// Usher: ${reason}\n`, scriptHeaders);
}

/**
 * Code that tells the developer in the console why nothing shows, once for each page, and resolves the promises of `usher.show`.
 * It does nothing if the loader loads the core, which is when the loader has set `c`. The message is an expression in the page.
 */
function explain(reason: ShowReason, message: string): string {
  return `(u=>{if(u.c||u.o)return;u.o=1;console.info("Usher: "+${message});const r=()=>({shown:false,reason:"${reason}"});u.show=async()=>r();for(const c of u.q||[])c[2]?.(r())})(window.usher||={});\n`;
}

const unknownTokenScript = explain(
  'unknown_token',
  '"no account has the token in the address of this script, so nothing shows. Check the address in your page."',
);
const hostOffScript = explain(
  'host_off',
  'location.hostname+" is not enabled, so nothing shows here. Turn it on among your domains, with `enabled` = `on` (PATCH /v3/edit/urls/:id). Browsers cache this for 5 minutes."',
);

/** A page on a new host sends only this request, so the host is recorded here: an administrator can then enable it. */
async function recordHost(ctx: Context, account: PublishedAccount, host: Host | undefined): Promise<PublishedAccount> {
  if (!host || findHostState(host.host, account.urls) === 'on') return account;
  try {
    return await admitHost(ctx, account, host);
  } catch (error) {
    if (error instanceof ApiError) return account;
    throw error;
  }
}

type BuildLoader = (account: PublishedAccount, files: ScriptFiles) => EncodedText;
interface Loaders {
  plain: BuildLoader;
  /**
   * The loader for a page whose host is not known to be enabled. A cache may pass it to pages of other hosts: the added
   * code does nothing where the loader has found that the host is enabled.
   */
  explained: BuildLoader;
}

interface LoaderOptions {
  alias?: ScriptAlias | undefined;
  /** The address of the server. Without one, the script uses that of its own element. */
  url?: string | undefined;
  isNeutral?: boolean;
}

interface LoadersOfPath {
  atRoot: Loaders;
  /**
   * Products of several domains can have a proxy for the base path. Each page calls the address that it has loaded the script from, so
   * that everything belongs to its own site.
   */
  belowBasePath: Loaders;
}

function createLoadersOfPath({ url, alias }: LoaderOptions): LoadersOfPath {
  return { atRoot: createLoaders({ url, alias }), belowBasePath: createLoaders({ alias, isNeutral: true }) };
}

/** The loaders of one address. Each is built once for each version of the account. */
function createLoaders(options: LoaderOptions): Loaders {
  return {
    plain: oncePerAccount((...args) => loaderText(options, ...args)),
    explained: oncePerAccount((...args) => `${loaderText(options, ...args)}\n${hostOffScript}`),
  };
}

function oncePerAccount(build: (...args: Parameters<BuildLoader>) => string): BuildLoader {
  const built = new WeakMap<PublishedAccount, EncodedText>();
  return (account, ...others) => {
    const encoded = built.get(account) ?? encodeText(build(account, ...others));
    built.set(account, encoded);
    return encoded;
  };
}

function loaderText(
  { alias, url, isNeutral }: LoaderOptions,
  account: PublishedAccount,
  { loader, alias: aliasCode, parts, neutralParts }: ScriptFiles,
): string {
  // Only the dashboard loads the preview, and only public pages their own part. Without the part that runs code of authors, a page cannot run such code.
  const { preview: _, survey_page: __, scripts, page_events, ...others } = isNeutral ? neutralParts : parts;
  const files = {
    ...others,
    ...(account.allowScripts && { scripts }),
    ...(account.pageEvents.length > 0 && { page_events }),
  };
  const { token } = account;
  const config = {
    ...{ token, url, files, hosts: hostHashes(account), alias: alias && resolveAlias(alias, token) },
    ...(account.anonymousUsers && !account.requireUidHash && { anonymous: true }),
  };
  return `${COMPILE_HINT}window.__usher=${JSON.stringify(config)};\n${alias ? `${aliasCode}\n` : ''}${loader}`;
}

/** The script finds the address of the server by the path that it was loaded from. */
function resolveAlias({ global, path }: ScriptAlias, token: string): ScriptAlias {
  return { global, path: path.replace(':token', () => token) };
}

/** Makes Chromium compile all functions while the file loads, not one by one in the page: see script/build.mjs. */
const COMPILE_HINT = '//# allFunctionsCalledOnLoad\n';

/** Hosts on the same machine, which are enabled until somebody has added a domain. */
const loopbackHosts = ['localhost', '.localhost', '127.0.0.1', '[::1]'];

/**
 * The hashes of the enabled hosts. A domain whose subdomains are all enabled has a dot before it, and a subdomain that is
 * excepted has a `!`. Other subdomains of such a domain are left out: there can be a thousand.
 */
function hostHashes({ urls }: PublishedAccount): number[] {
  const names = findHostState('localhost', urls) === 'on' && !urls.has('localhost') ? [...loopbackHosts] : [];
  for (const [host, { enabled }] of urls) {
    const isOn = findHostState(host, urls) === 'on';
    if (isOn && enabled === 'subdomain') names.push(`.${host}`);
    if (isOn !== isIncluded(host, urls)) names.push(isOn ? host : `!${host}`);
  }
  return names.map(hostHash);
}

/** Whether the host, or a domain above it, has all its subdomains enabled. */
function isIncluded(host: string, urls: PublishedAccount['urls']): boolean {
  const { enabled = 'off', archived = true } = urls.get(host) ?? {};
  return (
    (enabled === 'subdomain' && !archived) ||
    (host.includes('.') && isIncluded(host.slice(host.indexOf('.') + 1), urls))
  );
}
