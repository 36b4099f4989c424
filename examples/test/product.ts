import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const read = (name: string) => readFileSync(new URL(`../../script/src/${name}`, import.meta.url), 'utf8');
export const queueSnippet = read('snippet.js');
const EXAMPLE_URL = 'https://usher.example.com/script/ACCOUNT_TOKEN.js';

/** The snippet, without the `<script>` tags. */
export const snippetFor = (url: string) => `${queueSnippet}${read('load-snippet.js').replace(EXAMPLE_URL, () => url)}`;

export interface ProductFile {
  type: string;
  body: string;
  headers?: Record<string, string>;
}

/** A server of a product, which knows nothing of Usher. */
export async function startProduct(files: Record<string, ProductFile>) {
  const server = createServer(({ url = '' }, response) => {
    const file = files[url.replace(/\?.*/, '')];
    // Browsers request an icon for every page.
    if (url === '/favicon.ico') response.writeHead(204).end();
    else if (!file) response.writeHead(404).end();
    else response.writeHead(200, { 'Content-Type': `${file.type}; charset=utf-8`, ...file.headers }).end(file.body);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return { files, port, stop: () => server.close() };
}

/** Returns a port that nothing listens at. */
export async function findPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
}

/** A page that identifies its user. */
export const pageOf = (body: string) =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Reports</title><script src="/usher.js"></script></head><body>${body}</body></html>`;
