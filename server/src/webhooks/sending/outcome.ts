import { codeOf } from '../../error-code.ts';
/** The result of one request. */
export type Outcome = { status: number; answer: string; ms: number } | { error: string; ms: number };

/** An address that must not be connected to; the message says why. */
export class ForbiddenAddress extends Error {}

const MAX_CHARACTERS = 500;

const messages: Record<string, string> = {
  ENOTFOUND: 'the host name is not known',
  ENODATA: 'the host name is not known',
  EAI_AGAIN: 'the host name could not be looked up',
  ETIMEOUT: 'the host name could not be looked up',
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was closed before there was an answer',
  EPIPE: 'the connection was closed before there was an answer',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the host cannot be reached',
  ETIMEDOUT: 'the host cannot be reached',
  EADDRNOTAVAIL: 'the source address is none of this machine',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another host',
};

/** Returns one of our own messages, because messages of the system can reveal its network. */
export function describeError(error: unknown): string {
  if (error instanceof ForbiddenAddress) return error.message;
  const code = codeOf(error);
  if (messages[code]) return messages[code];
  if (/CERT|SIGNATURE|ISSUER/.test(code)) return `the certificate is not valid (${code})`;
  if (/^(HPE_|ERR_HTTP)/.test(code)) return `the answer is not HTTP (${code})`;
  if (/^(EPROTO|ERR_(SSL|TLS))/.test(code)) return 'no secure connection could be made';
  return `it could not be sent${code ? ` (${code})` : ''}`;
}

/** Decodes the beginning of a response body for a text column. PostgreSQL rejects NUL. */
export function decodeBody(chunks: readonly Buffer[]): string {
  const text = Buffer.concat(chunks).toString('utf8').replaceAll('\0', '');
  return text.slice(0, MAX_CHARACTERS).toWellFormed();
}

export function isSuccess(outcome: Outcome): boolean {
  return 'status' in outcome && outcome.status >= 200 && outcome.status < 300;
}

export function describeFailure(outcome: Outcome): string {
  return 'error' in outcome ? outcome.error : `answered with status ${outcome.status}`;
}
