import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { World } from '../context.ts';
import { noEndpoint } from '../errors.ts';
import { replyWith } from './reply.ts';
import type { HttpServer } from './server.ts';

const mediaTypes: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** The demo site: files, and for all other addresses below it the one page that its router fills. */
export function addDemo(server: HttpServer, { storage, publicUrl }: World, folder: string): void {
  const { origin } = new URL(publicUrl);
  // As strict as a site can be: it shows that the script needs none of it loosened.
  const policy = [
    ...["default-src 'none'", "img-src 'self'", "style-src 'self'", "base-uri 'none'", "frame-ancestors 'none'"],
    ...[`script-src 'self' ${origin}`, `connect-src 'self' ${origin}`, "form-action 'self'"],
    ...["require-trusted-types-for 'script'", 'trusted-types usher'],
  ].join('; ');

  server.add(['GET'], '/demo', async () => replyWith(302, '', { location: '/demo/' }));
  server.add(['GET'], '/demo/*', async ({ params }) => {
    const name = params['*'] as string;
    const extension = extname(name);
    if (extension !== '') {
      const type = /^[\w-]+\.\w+$/.test(name) && extension !== '.html' ? mediaTypes[extension] : undefined;
      const content = type && (await readFile(join(folder, name)).catch(() => undefined));
      if (!type || !content) throw noEndpoint();
      return replyWith(200, content, { 'content-type': type, 'cache-control': 'no-cache' });
    }
    const page = await readFile(join(folder, 'index.html'), 'utf8');
    const filled = page.replace('ACCOUNT_TOKEN', encodeURIComponent(await firstToken()));
    return replyWith(200, filled, { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy });
  });

  /** It is a site of the first account. */
  async function firstToken(): Promise<string> {
    const query = storage.reader(null).selectFrom('accounts').select('token').orderBy('id').limit(1);
    return (await query.executeTakeFirst())?.token ?? '';
  }
}
