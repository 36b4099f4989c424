import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { AppContext } from '../context.ts';
import { noEndpoint } from '../errors.ts';
import { type EncodedText, encodedResponse, encodeTextInBackground } from '../http/encoded-response.ts';
import { responseWith } from '../http/http-response.ts';
import type { HttpServer } from '../http/server.ts';

const mediaTypes: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** The demo site: its files, and one page for all other paths below it, which its own router fills. */
export function addDemo(server: HttpServer, { storage, publicUrl, pageUrl }: AppContext, folder: string): void {
  const origins = [...new Set([publicUrl, pageUrl].map((url) => new URL(url).origin))].join(' ');
  // The policy is as strict as that of any site, to show that the script needs no exception.
  const policy = [
    ...["default-src 'none'", "img-src 'self'", "style-src 'self'", "base-uri 'none'", "frame-ancestors 'none'"],
    ...[`script-src 'self' ${origins}`, `connect-src 'self' ${origins}`, "form-action 'self'"],
    ...["require-trusted-types-for 'script'", 'trusted-types usher'],
  ].join('; ');

  server.add(['GET'], '/demo', async () => responseWith(302, '', { location: '/demo/' }));
  server.add(['GET'], '/demo/*', async (request) => {
    const name = request.params['*'] ?? '';
    const extension = extname(name);
    if (extension !== '') {
      const type = /^[\w-]+\.\w+$/.test(name) && extension !== '.html' ? mediaTypes[extension] : undefined;
      const file = type && (await fileNamed(name));
      if (!type || !file) throw noEndpoint();
      return encodedResponse(request, file, { 'content-type': type, 'cache-control': 'no-cache' });
    }
    const headers = { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy };
    return encodedResponse(request, await pageFor(await firstToken()), headers);
  });

  const files = new Map<string, EncodedText>();
  async function fileNamed(name: string): Promise<EncodedText | undefined> {
    const known = files.get(name);
    if (known) return known;
    const content = await readFile(join(folder, name)).catch(() => undefined);
    const encoded = content && (await encodeTextInBackground(content));
    if (encoded) files.set(name, encoded);
    return encoded;
  }

  let page: { token: string; encoded: EncodedText } | undefined;
  async function pageFor(token: string): Promise<EncodedText> {
    if (page?.token === token) return page.encoded;
    const text = await readFile(join(folder, 'index.html'), 'utf8');
    const encoded = await encodeTextInBackground(text.replace('ACCOUNT_TOKEN', encodeURIComponent(token)));
    page = { token, encoded };
    return encoded;
  }

  /** The demo site belongs to the first account. */
  async function firstToken(): Promise<string> {
    const query = storage.reader(null).selectFrom('accounts').select('token').orderBy('id').limit(1);
    return (await query.executeTakeFirst())?.token ?? '';
  }
}
