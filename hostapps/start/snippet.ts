import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const guide = readFileSync(fileURLToPath(new URL('../../docs/guides/install-the-snippet.md', import.meta.url)), 'utf8');
const [usual, withoutDelay] = [...guide.matchAll(/```html\n(.*?)```/gs)].map(([, html]) => html ?? '');

/** The page knows its user before the snippet runs. The property limits the Experiences of a test to that user. */
const identify = `if (window.currentUser) usher.identify(window.currentUser, { test_user: window.currentUser })`;

export interface UsherAddress {
  url: string;
  token: string;
}

/** The snippet of the guide, and the call that names the user. */
export function snippetOf({ url, token }: UsherAddress): string {
  return fill(usual, url, token).replace('</script>', `\n${identify}</script>`);
}

/** The form of the snippet that does not delay the load event of the page. */
export function snippetWithoutDelay({ url, token }: UsherAddress): string {
  const [stub] = snippetOf({ url, token }).split(/<script async.*/);
  return stub + fill(withoutDelay, url, token);
}

/** For applications that take only files of JavaScript. */
export function snippetAsFile(address: UsherAddress): string {
  return snippetWithoutDelay(address).replaceAll(/<\/?script>/g, '');
}

function fill(html: string | undefined, url: string, token: string): string {
  if (!html?.includes('ACCOUNT_TOKEN')) throw new Error('The guide has no snippet where it used to be');
  return html.replaceAll('https://usher.example.com', url).replaceAll('ACCOUNT_TOKEN', token);
}
