import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import type { World } from '../context.ts';
import { noEndpoint } from '../errors.ts';

const mediaTypes: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** The demo site: files, and for all other addresses below it the one page that its router fills. */
export function registerDemo(app: FastifyInstance, { storage, publicUrl }: World, folder: string): void {
  const server = new URL(publicUrl).origin;
  // As strict as a site can be: it shows that the script needs none of it loosened.
  const policy = [
    ...["default-src 'none'", "img-src 'self'", "style-src 'self'", "base-uri 'none'", "frame-ancestors 'none'"],
    ...[`script-src 'self' ${server}`, `connect-src 'self' ${server}`, "form-action 'self'"],
    ...["require-trusted-types-for 'script'", 'trusted-types usher'],
  ].join('; ');

  app.get('/demo', (_request, reply) => reply.redirect('/demo/'));
  app.get<{ Params: { '*': string } }>('/demo/*', async (request, reply) => {
    const name = request.params['*'];
    const extension = extname(name);
    if (extension !== '') {
      const type = /^[\w-]+\.\w+$/.test(name) && extension !== '.html' ? mediaTypes[extension] : undefined;
      const content = type && (await readFile(join(folder, name)).catch(() => undefined));
      if (!type || !content) throw noEndpoint();
      return reply.type(type).header('cache-control', 'no-cache').send(content);
    }
    const page = await readFile(join(folder, 'index.html'), 'utf8');
    reply.type('text/html; charset=utf-8').header('content-security-policy', policy);
    return page.replace('ACCOUNT_TOKEN', encodeURIComponent(await firstToken()));
  });

  /** It is a site of the first account. */
  async function firstToken(): Promise<string> {
    const query = storage.reader(null).selectFrom('accounts').select('token').orderBy('id').limit(1);
    return (await query.executeTakeFirst())?.token ?? '';
  }
}
