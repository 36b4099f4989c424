/** A name that HTTP allows for a header: a token of RFC 9110. */
const token = /^[\w!#$%&'*+.^`|~-]+$/;

/** What Usher sends or might send, what belongs to the connection, and what has a meaning of its own for receivers and proxies. */
const reserved = [
  ...['x-usher-.*', 'webhook-.*', 'content-.*', 'accept(-.*)?', 'sec-.*', 'if-.*', 'proxy-.*', 'access-control-.*'],
  ...['host', 'user-agent', 'connection', 'keep-alive', 'te', 'trailer', 'transfer-encoding', 'upgrade', 'expect'],
  ...['http2-settings', 'authorization', 'www-authenticate', 'cookie2?', 'set-cookie2?', 'origin', 'referer', 'from'],
  ...['date', 'via', 'forwarded', 'x-forwarded-.*', 'x-real-ip', 'x-http-method-override', 'range', 'max-forwards'],
  ...['cache-control', 'pragma', 'age', 'expires', 'etag', 'last-modified', 'vary', 'warning', 'location', 'link'],
  ...['allow', 'server', 'retry-after', 'strict-transport-security', 'traceparent', 'tracestate', 'early-data', 'dnt'],
];
const isReserved = new RegExp(`^(${reserved.join('|')})$`, 'i');

/** Why a request to a webhook cannot have a further header of this name; undefined if it can. */
export function problemOfHeaderName(name: string): string | undefined {
  if (!token.test(name)) return 'must be the name of a header, such as `X-Guide-Id`: letters, digits and `-`';
  return isReserved.test(name)
    ? `must be a name of your own, such as \`X-Guide-Id\`: \`${name}\` has another meaning in requests`
    : undefined;
}
