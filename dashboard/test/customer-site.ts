import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** The site of a customer, at an origin of its own. Each page has what `head` returns at that moment. */
export async function startCustomerSite(head: () => string, policy?: string): Promise<{ url: string }> {
  const server = createServer((_, response) => {
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    if (policy !== undefined) response.setHeader('Content-Security-Policy', policy);
    response.end(
      `<!doctype html><html lang="en"><head><title>Acme</title>${head()}</head><body><h1>Acme</h1></body></html>`,
    );
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://localhost:${(server.address() as AddressInfo).port}` };
}
