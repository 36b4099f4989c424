import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { noEndpoint } from '../errors.ts';
import { type EncodedText, encodedResponse, encodeTextInBackground } from '../http/encoded-response.ts';
import { type HttpResponse, responseWith } from '../http/http-response.ts';
import type { HttpServer } from '../http/server.ts';
import { DOCS_STYLE } from './docs-style.ts';
import { escapeHtml, renderDoc } from './render-doc.ts';

const mediaTypes: Record<string, string> = { '.png': 'image/png', '.svg': 'image/svg+xml' };

/** The pages of `docs/`, so that the dashboard can lead to them without a request to another host. `/docs` is their list. */
export function addDocs(server: HttpServer, folder: string): void {
  const pages = new Map<string, EncodedText>();

  server.add(['GET'], '/docs', async (request) => encodedResponse(request, await pageNamed('README'), pageHeaders));
  server.add(['GET'], '/docs/*', async (request) => {
    const name = request.params['*'] ?? '';
    if (name === 'style.css') return responseWith(200, DOCS_STYLE, styleHeaders);
    if (!/^(?:[\w-]+\/)*[\w-]+(?:\.\w+)?$/.test(name)) throw noEndpoint();
    if (extname(name) !== '') return pictureNamed(join(folder, name));
    return encodedResponse(request, await pageNamed(name), pageHeaders);
  });

  async function pageNamed(name: string): Promise<EncodedText> {
    const known = pages.get(name);
    if (known) return known;
    const markdown = await readFile(join(folder, `${name}.md`), 'utf8').catch(rethrowUnlessMissing);
    const page = await encodeTextInBackground(pageOf(renderDoc(name, markdown)));
    pages.set(name, page);
    return page;
  }
}

async function pictureNamed(file: string): Promise<HttpResponse> {
  const type = mediaTypes[extname(file)];
  if (!type) throw noEndpoint();
  const picture = await readFile(file).catch(rethrowUnlessMissing);
  return responseWith(200, picture, { ...pageHeaders, 'content-type': type, 'cache-control': 'max-age=3600' });
}

/** The errors of the file system for a name that no file has. */
const missing = new Set(['ENOENT', 'EISDIR', 'ENOTDIR', 'ENAMETOOLONG']);

function rethrowUnlessMissing(error: NodeJS.ErrnoException): never {
  throw missing.has(error.code ?? '') ? noEndpoint() : error;
}

function pageOf({ title, html }: { title: string; html: string }): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)} · Usher</title>
<link rel="stylesheet" href="/docs/style.css">
<header><a href="/docs">All guides</a> <a href="/app">Dashboard</a></header>
<main>
${html}</main>
</html>
`;
}

const pageHeaders = {
  'content-type': 'text/html; charset=utf-8',
  'content-security-policy':
    "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-cache',
};
const styleHeaders = { 'content-type': 'text/css; charset=utf-8', 'cache-control': 'max-age=3600' };
