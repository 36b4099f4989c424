import { parse } from 'tldts';

export interface Host {
  /** Fully qualified, lower case, without a trailing dot, in punycode. */
  host: string;
  /** The registrable domain by the public suffix list; the host itself where there is none (localhost, addresses). */
  domain: string;
}

const forbidden = /[\s/\\?#@%*<>^|`{}"]/;

/** Reads a host as people write it, or describes what is wrong with it. */
export function readHost(input: string): Host | { problem: string } {
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(input)) return problem('without `https://` or a path');
  if (forbidden.test(input)) return problem('only a host name: no path, wildcard, spaces or sign-in');
  if (/:\d*$/.test(input) && !input.endsWith(']')) return problem('without a port');
  const host = canonical(input);
  if (host === undefined) return problem('a valid host name');
  const { domain, isIcann, isIp } = parse(host, { allowPrivateDomains: true, validateHostname: false });
  if (domain === null && isIcann && !isIp) return problem(`more than the public suffix \`${host}\``);
  return { host, domain: domain ?? host };
}

function canonical(input: string): string | undefined {
  const bare = input.replace(/\.$/, '');
  let host: string;
  try {
    host = new URL(`http://${bare}`).hostname;
    // Newer engines check punycode only if there is a letter that is not ASCII.
    if (/(?:^|\.)xn--/.test(host)) new URL(`http://${host}.ü`);
  } catch {
    return undefined;
  }
  if (host.startsWith('[')) return host;
  const labels = host.split('.');
  const whole = host.length > 0 && host.length <= 253 && labels.every(isLabel);
  return whole ? host : undefined;
}

function isLabel(label: string): boolean {
  return /^[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?$/.test(label);
}

function problem(what: string): { problem: string } {
  return { problem: `must be ${what}, such as \`app.example.com\`` };
}
