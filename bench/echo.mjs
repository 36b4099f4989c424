import { createServer } from 'node:http';

/*
 * The least that a JSON API in Node does: read a JSON body, write a JSON response. Started by servers.mjs as a separate
 * process, with the status and the response as arguments; it ends with the process that started it.
 */
const [, , status, responseText] = process.argv;
const content = JSON.parse(responseText ?? '{}');

const server = createServer((request, response) => {
  /** @type {Buffer[]} */
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    if (chunks.length > 0) JSON.parse(Buffer.concat(chunks).toString());
    const body = JSON.stringify(content);
    response.writeHead(Number(status), {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
    });
    response.end(body);
  });
});
server.listen(0, '127.0.0.1', () => process.send?.(server.address()));
process.on('disconnect', () => process.exit());
// Ctrl+C reaches this process too, but the process that started it decides when to stop.
process.on('SIGINT', () => {});
