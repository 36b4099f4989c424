import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { noEndpoint } from '../errors.ts';
import { type EncodedText, encodedResponse, encodeTextInBackground } from '../http/encoded-response.ts';
import { type HttpResponse, responseWith } from '../http/http-response.ts';
import type { HttpServer } from '../http/server.ts';
import { type DocsSection, readSections, renderForPrograms, renderMenu } from './docs-menu.ts';
import { DOCS_STYLE } from './docs-style.ts';
import { escapeHtml, renderDoc } from './render-doc.ts';
import { addReference } from './serve-reference.ts';

const mediaTypes: Record<string, string> = { '.png': 'image/png', '.svg': 'image/svg+xml' };

/**
 * The pages of `docs/`, so that the dashboard can lead to them without a request to another host, and the API reference. `/docs` is their
 * list. Nothing is read before a page is opened.
 */
export function addDocs(server: HttpServer, folder: string, publicUrl: string): void {
  const pages = new Map<string, EncodedText>();
  let sections: Promise<DocsSection[]> | undefined;
  const sectionsOnce = () => {
    sections ??= readSections(folder);
    return sections;
  };

  server.add(['GET'], '/docs', async (request) => encodedResponse(request, await pageNamed('README'), pageHeaders));
  server.add(['GET'], '/docs/*', async (request) => {
    const name = request.params['*'] ?? '';
    if (name === 'style.css') return responseWith(200, DOCS_STYLE, styleHeaders);
    if (!/^(?:[\w-]+\/)*[\w-]+(?:\.\w+)*$/.test(name)) throw noEndpoint();
    if (name.startsWith('examples/')) return exampleNamed(join(folder, '..', name));
    const mediaType = mediaTypes[extname(name)];
    if (mediaType) return pictureNamed(join(folder, name), mediaType);
    return encodedResponse(request, await pageNamed(name), pageHeaders);
  });

  server.add(['GET'], '/llms.txt', async () =>
    responseWith(200, renderForPrograms(await sectionsOnce(), publicUrl), textHeaders),
  );
  addReference(server, folder, async (html) =>
    pageOf({ title: 'API reference', html }, renderMenu(await sectionsOnce(), '/docs/reference'), REFERENCE_HEAD),
  );

  async function pageNamed(name: string): Promise<EncodedText> {
    const known = pages.get(name);
    if (known) return known;
    const file = name === 'client' ? join('..', 'client', 'README.md') : `${name}.md`;
    const markdown = await readFile(join(folder, file), 'utf8').catch(rethrowUnlessMissing);
    const menu = renderMenu(await sectionsOnce(), name === 'README' ? '/docs' : `/docs/${name}`);
    const page = await encodeTextInBackground(pageOf(renderDoc(name, markdown), menu));
    pages.set(name, page);
    return page;
  }
}

/** The pipelines for CI systems, to be copied. */
async function exampleNamed(file: string): Promise<HttpResponse> {
  if (!/\/(?:as-code|check-in-ci)\/[\w-]+\.yml$/.test(file)) throw noEndpoint();
  return responseWith(200, await readFile(file).catch(rethrowUnlessMissing), { ...pageHeaders, ...textHeaders });
}

async function pictureNamed(file: string, type: string): Promise<HttpResponse> {
  const picture = await readFile(file).catch(rethrowUnlessMissing);
  return responseWith(200, picture, { ...pageHeaders, 'content-type': type, 'cache-control': 'max-age=3600' });
}

/** The errors of the file system for a name that no file has. */
const missing = new Set(['ENOENT', 'EISDIR', 'ENOTDIR', 'ENAMETOOLONG']);

function rethrowUnlessMissing(error: NodeJS.ErrnoException): never {
  throw missing.has(error.code ?? '') ? noEndpoint() : error;
}

/** The viewer of the reference has the main part of its page in itself. */
const REFERENCE_HEAD = '<script type="module" src="/docs/reference/start.js"></script>\n';

function pageOf({ title, html }: { title: string; html: string }, menu: string, head = ''): string {
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)} · Usher</title>
<link rel="stylesheet" href="/docs/style.css">
${head}<header><a href="#main" class="skip">Skip to the text</a> <a href="/docs">All guides</a> <a href="/docs/reference">API reference</a> <a href="/app">Dashboard</a></header>
${menu}
${head ? '<div id="main" class="wide">' : '<main id="main">'}
${html}${head ? '</div>' : '</main>'}
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
const textHeaders = { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'max-age=3600' };
const styleHeaders = { 'content-type': 'text/css; charset=utf-8', 'cache-control': 'max-age=3600' };
