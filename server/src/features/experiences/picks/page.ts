import { MAX_PICK_HREF, parsePageHost, withoutPickKey } from '@usher/domain';
import { invalid } from '../../../errors.ts';
import type { PickRow } from '../../../pages/pick-token.ts';

const MAX_TITLE = 200;

/** Reads the address that a page sends. The editor shows it as a link, so it must be a page of the pick's own host. */
export function readPage(
  { host }: Pick<PickRow, 'host'>,
  href: string,
  title: string | null,
): { href: string; title: string | null } {
  if (!/^https?:/i.test(href) || parsePageHost(href)?.host !== host)
    throw invalid(`\`href\` must be the address of the page, on ${host}`);
  return {
    href: withoutPickKey(normalize(href)).slice(0, MAX_PICK_HREF),
    title: title === null ? null : title.slice(0, MAX_TITLE).toWellFormed(),
  };
}

/**
 * Writes an address as browsers do: without control characters, and without a user name that looks like another host.
 */
function normalize(href: string): string {
  const url = new URL(href);
  url.username = '';
  url.password = '';
  return url.href;
}
