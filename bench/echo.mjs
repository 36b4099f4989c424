import { createServer } from 'node:http';

/*
 * The least that a JSON API in Node does: read a JSON body, write a JSON answer. Started by servers.mjs as a process
 * of its own, with the status and the answer as arguments; it ends with the process that started it.
 */
const [, , status, answerText] = process.argv;
const answer = JSON.parse(answerText ?? '{}');

const server = createServer((request, response) => {
  /** @type {Buffer[]} */
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    if (chunks.length > 0) JSON.parse(Buffer.concat(chunks).toString());
    const body = JSON.stringify(answer);
    response.writeHead(Number(status), {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
    });
    response.end(body);
  });
});
server.listen(0, '127.0.0.1', () => process.send?.(server.address()));
process.on('disconnect', () => process.exit());
// An interrupt from the keyboard reaches this process too: who started it decides.
process.on('SIGINT', () => {});
