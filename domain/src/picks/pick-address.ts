import type { Host } from '../hosts/host.ts';
import { parsePageHost } from '../hosts/host-rule.ts';

/** The key is in the fragment of the address, because browsers do not send the fragment to servers, so that no log has it. */
const PARAM = 'usher-pick=';
/** The characters of a code: without 0, 1, I, L, O and U, which people mistake for other characters. */
const CODE_SIGNS = '23456789ABCDEFGHJKMNPQRSTVWXYZ';
const CODE_LENGTH = 8;
/** Spaces, control characters, characters that change the direction of a text, and the backslash, which browsers take for a slash. */
const UNSEEN = /[\s\\\p{Cc}\u202a-\u202e\u2066-\u2069]/u;

/** Finds the host of a page that an administrator wants to open, or describes what is wrong with its address. */
export function readPickHref(href: string): { host: Host } | { problem: string } {
  if (!/^https?:\/\//i.test(href) || UNSEEN.test(href))
    return { problem: 'must be the whole address of a page, such as `https://app.example.com/home`' };
  const host = parsePageHost(href);
  if (!host) return { problem: 'must have a valid host, such as `https://app.example.com/home`' };
  if (hasUserInfo(href)) return { problem: 'must not hold a user name or a password' };
  return { host };
}

function hasUserInfo(href: string): boolean {
  const { username, password } = new URL(href);
  return username !== '' || password !== '';
}

/** The address that opens the picker. The original fragment of the page follows the key. */
export function buildPickAddress(href: string, key: string): string {
  const [page = '', fragment] = splitFragment(withoutPickKey(href));
  return `${page}#${PARAM}${key}${fragment === '' ? '' : `&${fragment}`}`;
}

/** The address of a page without the key that opened the picker. */
export function withoutPickKey(href: string): string {
  const [page, fragment] = splitFragment(href);
  if (!fragment.startsWith(PARAM)) return href;
  const end = fragment.indexOf('&');
  return end < 0 ? page : `${page}#${fragment.slice(end + 1)}`;
}

function splitFragment(href: string): [page: string, fragment: string] {
  const at = href.indexOf('#');
  return at < 0 ? [href, ''] : [href.slice(0, at), href.slice(at + 1)];
}

/** Builds a code such as `K7QM-2XDP`, for pages that do not read the key. `random` returns a whole number below its limit. */
export function buildPickCode(random: (limit: number) => number): string {
  const signs = Array.from({ length: CODE_LENGTH }, () => CODE_SIGNS[random(CODE_SIGNS.length)]).join('');
  return `${signs.slice(0, CODE_LENGTH / 2)}-${signs.slice(CODE_LENGTH / 2)}`;
}

/** Normalizes a code that somebody typed. Undefined if the text cannot be a code. */
export function normalizePickCode(input: string): string | undefined {
  const signs = input.toUpperCase().replace(/[\s-]/g, '');
  const isCode = signs.length === CODE_LENGTH && [...signs].every((sign) => CODE_SIGNS.includes(sign));
  return isCode ? `${signs.slice(0, CODE_LENGTH / 2)}-${signs.slice(CODE_LENGTH / 2)}` : undefined;
}
