import { glob } from './glob.ts';
import { type LinearRegex, linearRegex, MAX_TEXT } from './linear-regex.ts';
import { MAX_STATES_TO_PUBLISH, PatternBudget } from './pattern-budget.ts';
import type { StepBudget } from './regex-program.ts';

/*
 * URL patterns decide on which pages a Step shows.
 *
 * | match_type | pattern                   | matches                                                                |
 * |------------|---------------------------|------------------------------------------------------------------------|
 * | simple     | `*`                       | every page; `*` matches any characters everywhere, also `/`            |
 * |            | `https://example.com/a`   | this scheme, host and path; `*://` and `http*://` any scheme           |
 * |            | `example.com/a`           | this host and path                                                     |
 * |            | `example.com:8080/a`      | this host and port; without a port, or with `:*`, every port           |
 * |            | `example.com`             | its home page; `example.com/*` all of it, the home page too            |
 * |            | `*.example.com/a`         | host and path together, ignoring case                                  |
 * |            | `/a`                      | this path on every host                                                |
 * |            | `/a/`                     | the same: a slash at the end makes no difference                       |
 * |            | `/a/*`                    | `/a` and what is below it                                              |
 * |            | `/a?tab=x&y=*`            | with these parameters among others, in any order; else all are ignored |
 * |            | `/a?tab`                  | with this parameter, whatever its value                                |
 * |            | `/a#/b`                   | with this hash, read as path and parameters; else it is ignored        |
 * |            | `?tab=x`, `#/b`           | with it on every path                                                  |
 * |            | `%2A`                     | an asterisk itself                                                     |
 * | exact      | `https://example.com/a?b` | the whole address, with query and hash                                 |
 * |            | `example.com/a`, `/a`     | the whole from the host, from the path; `*` is an asterisk             |
 * | regex      | `^https://.+/a`           | where it is found in the address as the browser writes it              |
 * | inverse_…  |                           | where the pattern does not match                                       |
 *
 * Hosts are compared irrespective of case, in Unicode or punycode, without the default port; the rest as it is, however
 * it is percent-encoded. Only an exact pattern without a port means the default port. A Step shows where one of its other
 * items matches, or it has none, and every inverse one holds.
 * A pattern with a problem matches nowhere. Of an address beyond 2,048 characters only these are looked at. A pattern
 * that takes more steps than it may counts as not matching; see pattern-budget.ts.
 */

export const matchTypes = ['simple', 'exact', 'regex', 'inverse_simple', 'inverse_exact'] as const;
export type MatchType = (typeof matchTypes)[number];
export interface QuantifierUrl {
  url: string;
  match_type: MatchType;
}

/** An address in the form in which it is compared with patterns. */
export interface PageAddress {
  href: string;
  scheme: string;
  /** In lower case and punycode, with a port other than the scheme's own. */
  host: string;
  /** The host without its port. */
  hostname: string;
  /** Ends with a slash. */
  path: string;
  params: string[];
  hash: string;
  hashParams: string[];
  /** The path, the query and the hash together. */
  tail: string;
}

/** A pattern can match only on this host, whatever its port, and on paths with this prefix. */
export interface UrlPrefix {
  hostname?: string;
  path?: string;
}

type UrlTest = (page: PageAddress, budget: PatternBudget) => boolean;
interface Compiled {
  test: UrlTest;
  prefix: UrlPrefix;
}
interface PatternProblem {
  problem: string;
}

export type CompileRegex = (pattern: string) => LinearRegex | PatternProblem;

const MAX_URL = 2000;
/** Reading one character of a regular expression takes as long as this many steps. */
const STEPS_TO_READ = 20;

/** Whether a page is one on which a Step with these items shows. */
export function compileUrls(items: readonly QuantifierUrl[]): PageTest {
  return compileWith(compileChecked, items);
}

/**
 * For the browser script. Its patterns were checked when they were published, so it does not carry the checks. It loads the parser
 * of regular expressions only when a pattern is one.
 */
export function compilePublishedUrls(items: readonly QuantifierUrl[], compileRegex: CompileRegex): PageTest {
  return compileWith((item) => compile(item, compileRegex), items);
}

type PageTest = (page: PageAddress, budget?: PatternBudget) => boolean;

function compileWith(
  compileItem: (item: QuantifierUrl) => Compiled | PatternProblem,
  items: readonly QuantifierUrl[],
): PageTest {
  const compileTest = (item: QuantifierUrl): UrlTest => {
    const compiled = compileItem(item);
    return 'problem' in compiled ? () => false : compiled.test;
  };
  const tests = (inverse: boolean) => items.filter((item) => isInverse(item) === inverse).map(compileTest);
  const wanted = tests(false);
  const unwanted = tests(true);
  const oneOf = (tests: UrlTest[], page: PageAddress, budget: PatternBudget) => {
    for (const matches of tests) if (matches(page, budget)) return true;
    return false;
  };
  return (page, budget = new PatternBudget()) => {
    if (wanted.length > 0 && !oneOf(wanted, page, budget)) return false;
    const skipped = budget.skipped.length;
    // An inverse pattern that ran out of steps might have matched.
    return !oneOf(unwanted, page, budget) && budget.skipped.length === skipped;
  };
}

/** Lists prefixes. Every page that these items match begins with one of them. An empty prefix fits any page. */
export function listUrlPrefixes(items: readonly QuantifierUrl[]): UrlPrefix[] {
  const wanted = items.filter((item) => !isInverse(item));
  if (wanted.length === 0) return [{}];
  return wanted.map(compileChecked).flatMap((compiled) => ('problem' in compiled ? [] : [compiled.prefix]));
}

/** Describes the problem of a pattern for its author. */
export function findPatternProblem(url: string, match_type: MatchType): string | undefined {
  const compiled = compileChecked({ url, match_type });
  if ('problem' in compiled) return compiled.problem;
  const regex = match_type === 'regex' ? linearRegex(url, { maxStates: MAX_STATES_TO_PUBLISH }) : undefined;
  return regex && 'problem' in regex ? `must be a regular expression, but has ${regex.problem}` : undefined;
}

export function parsePageAddress(href: string): PageAddress {
  const parts = split(href.slice(0, MAX_TEXT));
  // Only `*` matches an address without a host, such as `about:blank`.
  if (!parts.scheme)
    return { href, scheme: '', host: '', hostname: '', path: '', params: [], hash: '', hashParams: [], tail: '' };
  const { scheme } = parts;
  const authority = parts.authority.slice(parts.authority.lastIndexOf('@') + 1);
  const host = readHost(authority, scheme) ?? authority.toLowerCase();
  const { params, hashParams, ...places } = toComparable(parts, encode);
  const tail = joinTail(parts);
  return {
    href,
    scheme,
    host,
    hostname: withoutPort(host),
    ...places,
    params: params.flatMap(paramForms),
    hashParams: hashParams.flatMap(paramForms),
    tail,
  };
}

function isInverse({ match_type }: QuantifierUrl): boolean {
  return match_type.startsWith('inverse_');
}

function compileChecked(item: QuantifierUrl): Compiled | PatternProblem {
  const problem = problemOfText(item);
  return problem ? { problem } : compile(item, linearRegex);
}

function problemOfText({ url, match_type }: QuantifierUrl): string | undefined {
  if (url === '') return 'must not be empty';
  if (url.length > MAX_URL) return `must have at most ${MAX_URL} characters`;
  return match_type === 'regex' ? undefined : findAddressProblem(url, split(url), match_type.endsWith('exact'));
}

function compile({ url, match_type }: QuantifierUrl, compileRegex: CompileRegex): Compiled | PatternProblem {
  if (match_type !== 'regex') return compileAddress(url, match_type.endsWith('exact'));
  const match = lazyRegex(url, compileRegex);
  return { test: (page, budget) => budget.test(url, match, page.href), prefix: {} };
}

/** Read when it is first needed: an account has many patterns, and most pages ask for few of them. */
export function lazyRegex(pattern: string, compileRegex: CompileRegex): (text: string, steps: StepBudget) => boolean {
  let regex: LinearRegex | PatternProblem | undefined;
  return (text, steps) => {
    if (regex === undefined) {
      steps.left -= pattern.length * STEPS_TO_READ;
      if (steps.left < 0) return false;
      regex = compileRegex(pattern);
    }
    return !('problem' in regex) && regex.test(text, steps);
  };
}

function compileAddress(url: string, exact: boolean): Compiled | PatternProblem {
  const parts = split(url);
  const host = parts.hasHost ? readHost(parts.authority, parts.scheme) : undefined;
  if (parts.hasHost && host === undefined) return { problem: 'must name a valid host, or begin with `/`' };
  return exact ? compileExact(parts, host) : compileSimple(url, parts, host);
}

function findAddressProblem(
  url: string,
  { scheme, authority, hasHost, path }: Parts,
  exact: boolean,
): string | undefined {
  if (/[\s\\\p{Cc}]/u.test(url)) return 'must be one address, without spaces and `\\`; `%20` is a space';
  if (/https?:\/\//i.test(authority + path)) return 'must be one address, with one `https://`';
  const isKnown = scheme === undefined || ['http', 'https'].some(glob(scheme));
  if (!isKnown || (exact && scheme?.includes('*'))) return 'must begin with `https://`, `http://`, a host or `/`';
  if (authority.includes('@')) return 'must be without a sign-in before the host';
  if (exact && authority.includes('*')) return 'must name a whole host; `*` is for the match type `simple`';
  if (exact && !hasHost && path === '') return 'must begin with `https://`, a host or `/`';
  return undefined;
}

function compileExact(parts: Parts, host: string | undefined): Compiled {
  const { scheme } = parts;
  const tail = joinTail(parts);
  return {
    test: (page) => page.tail === tail && (host ?? page.host) === page.host && (scheme ?? page.scheme) === page.scheme,
    prefix: toUrlPrefix(host, toComparable(parts, encode).path),
  };
}

function compileSimple(url: string, parts: Parts, host: string | undefined): Compiled {
  const { path, params, hash, hashParams } = toComparable(parts, encodeAroundStars);
  const tests: UrlTest[] = [];
  const add = (pattern: string, textOf: (page: PageAddress) => string) => {
    const matches = glob(pattern);
    tests.push((page) => matches(textOf(page)));
  };
  const addParam = (pattern: string, textsOf: (page: PageAddress) => string[]) => {
    const matches = glob(pattern);
    tests.push((page, budget) => budget.take(url, textsOf(page).length) && textsOf(page).some(matches));
  };
  // Hosts are turned on for all ports, so a pattern without a port matches on all of them too.
  const anyPort = !namesPort(parts.authority);
  let anchor: UrlPrefix = {};
  if (host?.includes('*')) {
    // `*` may match the end of the host and the start of the path, so the case of both is ignored.
    const place = glob(withTrailingSlash(host + encodeAroundStars(parts.path)).toLowerCase());
    const matches = (name: string, { path }: PageAddress) => place((name + path).toLowerCase());
    tests.push((page) => matches(page.host, page) || (anyPort && matches(page.hostname, page)));
  } else if (host !== undefined || parts.path !== '') {
    if (host !== undefined) tests.push((page) => (anyPort ? page.hostname : page.host) === host);
    add(path, (page) => page.path);
    anchor = toUrlPrefix(host, path.split('*')[0]);
  }
  if (parts.scheme !== undefined) add(parts.scheme, (page) => page.scheme);
  for (const param of params) addParam(param, (page) => page.params);
  if (hash !== '') add(hash, (page) => page.hash);
  for (const param of hashParams) addParam(param, (page) => page.hashParams);
  return { test: (page, budget) => tests.every((holds) => holds(page, budget)), prefix: anchor };
}

function toUrlPrefix(host: string | undefined, path = '/'): UrlPrefix {
  return { ...(host !== undefined && { hostname: withoutPort(host) }), ...(path !== '/' && { path }) };
}

interface Parts {
  scheme: string | undefined;
  hasHost: boolean;
  authority: string;
  path: string;
  query: string;
  hash: string;
}

function split(address: string): Parts {
  const [, scheme, slashes, authority = '', path = '', query = '', hash = ''] =
    /^(?:(?:([^/?#:]*):)?(\/\/))?([^/?#]*)([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s.exec(address) ?? [];
  return {
    scheme: scheme?.toLowerCase(),
    hasHost: slashes !== undefined || authority !== '',
    authority,
    path,
    query,
    hash,
  };
}

function readHost(authority: string, scheme: string | undefined): string | undefined {
  const [, name = '', port = ''] = /^(.*?)(?::([\d*]*))?$/s.exec(authority) ?? [];
  if (name.includes(':') && !name.startsWith('[')) return undefined;
  const host = name.includes('*') ? canonicalAroundStars(name) : canonicalHost(name);
  const isDefault =
    !namesPort(authority) || (port === '80' && scheme !== 'https') || (port === '443' && scheme !== 'http');
  return host === undefined || isDefault ? host : `${host}:${port}`;
}

/** `:*` is every port, as if there were none. */
function namesPort(authority: string): boolean {
  return /:\**\d[\d*]*$/.test(authority);
}

function withoutPort(host: string): string {
  return host.replace(/:\d*$/, '');
}

/** Works label by label, because not every browser accepts an asterisk in a host. */
function canonicalAroundStars(host: string): string | undefined {
  const labels = host
    .split('.')
    .map((label) => (label.includes('*') ? encodeAroundStars(label) : canonicalHost(`${label}.x`)?.slice(0, -2)));
  return labels.includes(undefined) ? undefined : labels.join('.').toLowerCase();
}

function canonicalHost(host: string): string | undefined {
  try {
    return new URL(`http://${host}`).hostname.replace(/\.$/, '');
  } catch {
    return undefined;
  }
}

function toComparable({ path, query, hash }: Parts, write: (text: string) => string) {
  const [route = '', ...routeQuery] = hash.split('?');
  return {
    path: withTrailingSlash(write(path)),
    params: splitParams(query).map(write),
    hash: route === '' ? '' : withTrailingSlash(`#${write(route)}`),
    hashParams: splitParams(routeQuery.join('?')).map(write),
  };
}

function joinTail({ path, query, hash }: Parts): string {
  return encode((path || '/') + (query && `?${query}`) + (hash && `#${hash}`));
}

function withTrailingSlash(text: string): string {
  return /[/*]$/.test(text) ? text : `${text}/`;
}

function splitParams(query: string): string[] {
  return query.split('&').filter((param) => param !== '');
}

/** The forms in which a pattern can name a parameter: only its name, or its name and value. */
function paramForms(param: string): string[] {
  const [name = ''] = param.split('=');
  return [name, name === param ? `${param}=` : param];
}

/** One form for all ways of percent-encoding. Characters with a meaning in addresses stay as they are. */
function encode(text: string): string {
  return encodeAroundStars(text).replaceAll('*', '%2A');
}

function encodeAroundStars(text: string): string {
  return text.replace(/%([\dA-Fa-f]{2})?|[^\w\-.~!*'():/?#[\]@$&+,;=]/gu, (sign, hex?: string) => {
    if (hex === undefined) return encodeURIComponent(sign.replace(/\p{Cs}/u, '\ufffd'));
    const char = String.fromCharCode(Number.parseInt(hex, 16));
    return /[\w\-.~!'()]/.test(char) ? char : sign.toUpperCase();
  });
}
