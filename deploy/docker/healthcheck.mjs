// The health check of the image, which has no curl. Ends with 0 if the server on this machine responds.
import { get } from 'node:http';
import { get as getSecurely } from 'node:https';

const { PORT = '3400', USHER_TLS_CERT, USHER_DOMAIN, USHER_HTTP_PORT = '80' } = process.env;
// With USHER_DOMAIN there is no HTTPS before the first certificate, so the port for plain HTTP is checked.
const port = USHER_DOMAIN ? USHER_HTTP_PORT : PORT;
// The certificate is for the public name, not for this address.
const options = { host: '127.0.0.1', port, path: '/healthz', timeout: 4000, rejectUnauthorized: false };
const request = (USHER_TLS_CERT ? getSecurely : get)(options, ({ statusCode }) =>
  process.exit(statusCode === 200 ? 0 : 1),
);
request.on('timeout', () => process.exit(1));
request.on('error', () => process.exit(1));
