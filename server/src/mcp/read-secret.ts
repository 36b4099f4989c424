import type { IncomingHttpHeaders } from 'node:http';

/** The account secret of a request of an assistant. Assistants can set few headers, so there are three ways. */
export function readSecret(headers: IncomingHttpHeaders): string | undefined {
  const own = headers['x-account-secret'];
  if (typeof own === 'string') return own;
  const [, scheme = '', value = ''] = /^(\w+) +(\S+) *$/.exec(headers.authorization ?? '') ?? [];
  if (/^bearer$/i.test(scheme)) return value;
  if (!/^basic$/i.test(scheme)) return undefined;
  const text = Buffer.from(value, 'base64').toString();
  const at = text.indexOf(':');
  // The secret is the password. Without a password it is the name.
  return text.slice(at + 1) || text.slice(0, Math.max(at, 0)) || undefined;
}
