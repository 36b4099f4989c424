import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** The product of a customer: a server of its own, with pages in HTML and a path that leads to Usher. */
export interface Product {
  port: number;
  /** What is in the head of every page. `18821` in it becomes the ID of the user who is signed in. */
  head: string;
  /** The address of Usher to which the product passes everything below `/help`. */
  usher: string;
}

const style = `
  body { margin: 0; font: 15px/1.5 Georgia, serif; color: #20302a; background: #f4f6f3; }
  header { display: flex; gap: 24px; align-items: center; padding: 14px 24px; background: #fff; border-bottom: 1px solid #d8e0da; }
  header strong { font-size: 18px; }
  a { color: #0b6b4f; }
  main { max-width: 880px; margin: 32px auto; padding: 0 24px; }
  h1 { margin: 0 0 16px; font-size: 28px; font-weight: 700; color: #12261e; }
  button { padding: 10px 18px; border: 0; border-radius: 10px; background: #0b6b4f; color: #fff; font: 600 15px/1.4 Georgia, serif; }
  .card { margin-top: 24px; padding: 20px; border: 1px solid #d8e0da; border-radius: 10px; background: #fff; }
  .card p { margin: 0 0 12px; }`;

const page = (head: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Harvest invoices</title>
${head}
<style>${style}</style>
</head>
<body>
<header><strong>Harvest</strong> <a href="/invoices">Invoices</a> <a href="/customers">Customers</a></header>
<main>
<h1>Invoices</h1>
<button id="new-invoice" type="button">New invoice</button>
<section class="card">
<p>Invoice 2041 for <a href="/customers">Orchard Ltd</a>, 1,240 euros, is a draft.</p>
<button id="send-invoice" type="button" onclick="usher.track('Invoice sent', { total: 1240 })">Send invoice</button>
</section>
</main>
</body>
</html>`;

export async function startProduct(usher: string): Promise<Product> {
  const server = createServer((incoming, response) => {
    if (incoming.url?.startsWith('/help/')) return passOn(product.usher, incoming, response);
    const [, uid = ''] = /(?:^|; )user=([\w-]+)/.exec(incoming.headers.cookie ?? '') ?? [];
    response.setHeader('Content-Type', 'text/html; charset=utf-8');
    response.end(page(product.head.replace('18821', uid)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const product = { port: (server.address() as AddressInfo).port, head: '', usher };
  return product;
}

/** Passes a request on as the guide says: the path as it is, without the cookies of the product. */
function passOn(usher: string, incoming: IncomingMessage, response: ServerResponse): void {
  const { cookie: _, ...headers } = incoming.headers;
  const forwarded = { 'x-forwarded-for': incoming.socket.remoteAddress, 'x-forwarded-proto': 'http' };
  const outgoing = request(`${usher}${incoming.url}`, {
    method: incoming.method,
    headers: { ...headers, ...forwarded },
  });
  outgoing.on('response', (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  outgoing.on('error', () => response.destroy());
  response.on('close', () => outgoing.destroy());
  incoming.pipe(outgoing);
}
