import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const guide = readFileSync(fileURLToPath(new URL('../../docs/guides/install-the-snippet.md', import.meta.url)), 'utf8');
/** The form with a queue: the pages call `usher.identify` before the script has loaded. */
const [, snippet] = /```html\n(<script>\n {2}!function.*?)```/s.exec(guide) ?? [];

/** The page knows its user before the snippet runs. The property limits the Experiences of a test to that user. */
const identify = `if (window.currentUser) usher.identify(window.currentUser, { test_user: window.currentUser })`;

export interface UsherAddress {
  url: string;
  token: string;
}

/** The snippet of the guide, and the call that names the user. */
export function snippetOf({ url, token }: UsherAddress): string {
  if (!snippet?.includes('ACCOUNT_TOKEN')) throw new Error('The guide has no snippet where it used to be');
  const html = snippet.replaceAll('https://usher.example.com', url).replaceAll('ACCOUNT_TOKEN', token);
  return html.replace('</script>', `\n${identify}</script>`);
}

/** What the guide says for pages that require Trusted Types: an element loads the script instead of the second part of the snippet. */
export function strictSnippetOf(address: UsherAddress, nonce: string): string {
  const { url, token } = address;
  const stub = snippetOf(address).replace('<script>', `<script nonce="${nonce}">`);
  const withoutLoader = stub.replace(/^ *!function\(d,u\).*?^ *\}\(document,.*?$/ms, '');
  if (withoutLoader === stub) throw new Error('The guide has no second part of the snippet where it used to be');
  return `${withoutLoader}<script async src="${url}/script/${token}.js"></script>`;
}

/** For applications that take only files of JavaScript. */
export function snippetAsFile(address: UsherAddress): string {
  return snippetOf(address).replaceAll(/<\/?script>/g, '');
}
