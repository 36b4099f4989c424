import { createServer } from 'node:http';
import pg from 'pg';

/*
 * The least that a page load can do on PostgreSQL: find one profile by its uid, note that it was seen, and say so, in one
 * statement. Started by servers.mjs as a separate process with the address of the database, the account, how many
 * profiles there are, and the response; it ends with the process that started it.
 */
const [, , url, account, count, responseText] = process.argv;
const content = JSON.parse(responseText ?? '{}');
const pool = new pg.Pool({ connectionString: url ?? '', max: 10 });
const text =
  'update profiles set last_seen_at = $1, last_seen_session_count = last_seen_session_count + 1 where account_id = $2 and uid = $3 returning id, custom';
let n = 0;

const server = createServer((request, response) => {
  /** @type {Buffer[]} */
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', async () => {
    if (chunks.length > 0) JSON.parse(Buffer.concat(chunks).toString());
    const uid = `user-${(n++ * 7919) % Number(count)}`;
    const { rowCount } = await pool.query({ name: 'seen', text, values: [Date.now(), account, uid] });
    const body = JSON.stringify(content);
    response.writeHead(rowCount === 1 ? 200 : 500, {
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
