import { MAX_PICK_HREF, parsePageHost, withoutPickKey } from '@usher/domain';
import { invalid } from '../../errors.ts';
import type { PickRow } from '../../pages/pick-token.ts';

const MAX_TITLE = 200;

/** Where a page says that it is. The editor shows this as a link, so it must be a page of the pick's own host. */
export function readPage(
  { host }: Pick<PickRow, 'host'>,
  href: string,
  title: string | null,
): { href: string; title: string | null } {
  if (!/^https?:/i.test(href) || parsePageHost(href)?.host !== host)
    throw invalid(`\`href\` must be the address of the page, on ${host}`);
  return {
    href: withoutPickKey(href).slice(0, MAX_PICK_HREF).toWellFormed(),
    title: title === null ? null : title.slice(0, MAX_TITLE).toWellFormed(),
  };
}
