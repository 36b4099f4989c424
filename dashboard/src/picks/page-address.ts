import { type QuantifierUrl, SAMPLE_HOST } from '@usher/domain';

interface VisitedPage {
  host: string;
  path: string;
}

/** The pages of the customer that the server knows. */
export interface KnownPages {
  visited: readonly VisitedPage[];
  /** The domains that are on. */
  domains: readonly string[];
  /** The demo site of this server, if it has one. */
  demo: string | undefined;
}

type CompleteAddress = { href: string } | { problem: 'address' | 'port' | 'wildcard' };

/**
 * Completes a typed address: a path gets the host of a page that users have visited, or of a domain, and an address
 * without a scheme gets https. The list of visited pages has no ports. On a local machine another port means another
 * site, so the port must be typed, except for the demo site.
 */
export function completeAddress(typed: string, known: KnownPages): CompleteAddress {
  const whole = withHost(typed.trim(), known);
  if (whole === undefined || /\s/.test(whole)) return { problem: 'address' };
  const hasScheme = /^[a-z][a-z\d+.-]*:\/\//i.test(whole);
  const address = hasScheme ? whole : `${isLocal(hostnameIn(whole)) ? 'http' : 'https'}://${whole}`;
  if (!/^https?:/i.test(address) || !URL.canParse(address)) return { problem: 'address' };
  const url = new URL(address);
  if (url.username !== '' || url.password !== '') return { problem: 'address' };
  // In visited paths, `*` replaces IDs.
  if (url.pathname.includes('*')) return { problem: 'wildcard' };
  if (hasScheme || !isLocal(url.hostname) || url.port !== '') return { href: url.href };
  const demo = known.demo === undefined ? undefined : new URL(known.demo);
  if (!demo || !isLocal(demo.hostname) || !isBelow(url.pathname, demo.pathname)) return { problem: 'port' };
  url.protocol = demo.protocol;
  url.port = demo.port;
  return { href: url.href };
}

const hostnameIn = (address: string) => address.split(/[:/?#]/)[0] ?? '';
const isLocal = (hostname: string) => /^(localhost|127(\.\d+){3}|.*\.localhost)$/i.test(hostname);
const isBelow = (path: string, folder: string) => `${path}/`.startsWith(folder);
const isOpenable = (address: string) => !address.includes('*');

/** Adds the host that a path is most likely on. Undefined if nothing is typed, or there is no host. */
function withHost(typed: string, { visited, domains, demo }: KnownPages): string | undefined {
  if (typed === '') return undefined;
  if (!typed.startsWith('/') || typed.startsWith('//')) return typed;
  const own = visited.filter(({ host }) => host !== SAMPLE_HOST);
  const same = own.find(({ path }) => path === typed.replace(/[?#].*|\/$/g, ''));
  if (!same && demo !== undefined && isBelow(typed, new URL(demo).pathname)) return new URL(typed, demo).href;
  const host = same?.host ?? own[0]?.host ?? domains.find(isOpenable);
  return host === undefined ? undefined : host + typed;
}

/**
 * The page until somebody types one: from the rules of the step or the Experience, or the most visited page, a domain
 * or the demo site. It is always an address that can be opened.
 */
export function suggestPage(rules: readonly QuantifierUrl[], known: KnownPages): string {
  const suggestions = [
    ...rules.filter(({ match_type }) => match_type === 'simple' || match_type === 'exact').map(({ url }) => url),
    ...known.visited.filter(({ host }) => host !== SAMPLE_HOST).map(({ host, path }) => host + path),
    ...known.domains.filter(isOpenable).map((domain) => `${domain}/`),
    ...(known.demo === undefined ? [] : [known.demo]),
  ];
  return suggestions.find((address) => 'href' in completeAddress(address, known)) ?? '';
}

/** The address at which a page asks for the code of a pick. */
export function codeAddress(href: string): string {
  const url = new URL(href);
  url.search = url.search === '' ? '?usher-pick' : `${url.search}&usher-pick`;
  return url.href;
}
