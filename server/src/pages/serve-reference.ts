import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompress } from 'node:zlib';
import { acceptedEncoding } from '../http/compression.ts';
import { responseWith } from '../http/http-response.ts';
import type { HttpServer } from '../http/server.ts';

/** The API reference. Its viewer, an element for all browsers, is read when the page is opened, and not kept in memory. */
export function addReference(server: HttpServer, folder: string, page: (html: string) => Promise<string>): void {
  server.add(['GET'], '/docs/reference', async () => responseWith(200, await page(REFERENCE), pageHeaders));
  server.add(['GET'], '/docs/reference/start.js', async () =>
    responseWith(200, await readFile(join(folder, 'reference', 'start.js')), scriptHeaders),
  );
  server.add(['GET'], '/docs/reference/viewer.js', async ({ headers }) => {
    const compressed = await readFile(join(folder, 'reference', 'rapidoc.js.br'));
    return acceptedEncoding(headers) === 'br'
      ? responseWith(200, compressed, { ...scriptHeaders, 'content-encoding': 'br' })
      : responseWith(200, await promisify(brotliDecompress)(compressed), scriptHeaders);
  });
}

/*
 * Requests that readers try are sent with the secret that they have given, and never with the cookie of somebody who has signed in. The
 * viewer keeps the secret in memory.
 */
const REFERENCE = `<div id="chapters" role="navigation" aria-label="Chapters"><h1 class="skip">API reference</h1></div>
<p id="status" role="status">Loading …</p>
<rapi-doc render-style="focused" schema-style="table" show-header="false" load-fonts="false" persist-auth="false"
  allow-spec-url-load="false" allow-spec-file-load="false" allow-server-selection="false" fetch-credentials="omit"
  show-components="false" show-method-in-nav-bar="false" use-path-in-nav-bar="false" allow-search="true"
  regular-font="system-ui, sans-serif" mono-font="ui-monospace, Menlo, monospace" hidden></rapi-doc>
`;

const common = { 'cross-origin-resource-policy': 'same-origin' };
const scriptHeaders = {
  ...common,
  'content-type': 'text/javascript; charset=utf-8',
  'cache-control': 'max-age=3600',
  vary: 'accept-encoding',
};
/** The viewer sets styles in its markup. Scripts come only from this server, and so do all requests go there. */
const pageHeaders = {
  ...common,
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'cache-control': 'no-cache',
};
