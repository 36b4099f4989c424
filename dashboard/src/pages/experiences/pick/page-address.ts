import type { QuantifierUrl } from '@usher/domain';

interface VisitedPage {
  host: string;
  path: string;
}

/** The origin of the dashboard, which also serves the demo site. */
interface Origin {
  protocol: string;
  hostname: string;
  port: string;
}

/**
 * Completes what somebody types: a path belongs to the host, and an address without a scheme is https unless it is on this machine. Visited
 * pages are listed without a port: those on the dashboard's own machine are most likely the demo site, at the dashboard's port.
 * Undefined if it is no address.
 */
export function completeAddress(typed: string, host: string | undefined, own: Origin): string | undefined {
  const trimmed = typed.trim();
  if (trimmed === '' || /\s/.test(trimmed)) return undefined;
  const isPath = trimmed.startsWith('/') && !trimmed.startsWith('//');
  if (isPath && host === undefined) return undefined;
  const whole = isPath ? `${host}${trimmed}` : trimmed;
  const address = /^[a-z][a-z\d+.-]*:\/\//i.test(whole) ? whole : `${schemeOf(whole, own)}${whole}`;
  if (!/^https?:/i.test(address) || !URL.canParse(address)) return undefined;
  const url = new URL(address);
  if (url.username !== '' || url.password !== '') return undefined;
  if (address !== whole && isOwn(url.hostname, own) && url.port === '') url.port = own.port;
  return url.href;
}

function schemeOf(whole: string, own: Origin): string {
  const hostname = whole.split(/[:/?#]/)[0] ?? '';
  if (isOwn(hostname, own)) return `${own.protocol}//`;
  return isLocal(hostname) ? 'http://' : 'https://';
}

const isLocal = (hostname: string) => /^(localhost|127(\.\d+){3}|.*\.localhost)$/i.test(hostname);
const isOwn = (hostname: string, own: Origin) =>
  hostname === own.hostname || (isLocal(hostname) && isLocal(own.hostname));

/** Until somebody types a page: the one of the step's or the Experience's rules, or the one that is visited most. */
export function suggestPage(
  rules: readonly QuantifierUrl[],
  visited: readonly VisitedPage[],
  domains: readonly string[],
): string {
  const isOpenable = (address: string) => !address.includes('*');
  const rule = rules.find(({ url, match_type }) => ['simple', 'exact'].includes(match_type) && isOpenable(url));
  if (rule) return rule.url;
  const page = visited.find(({ host, path }) => isOpenable(host + path));
  if (page) return page.host + page.path;
  const domain = domains.find(isOpenable);
  return domain === undefined ? '' : `${domain}/`;
}

/** The address at which a page asks for the code of a pick. */
export function codeAddress(href: string): string {
  const url = new URL(href);
  url.search = url.search === '' ? '?usher-pick' : `${url.search}&usher-pick`;
  return url.href;
}
