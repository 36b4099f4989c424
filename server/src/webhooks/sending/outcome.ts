/** What came of one request. */
export type Outcome = { status: number; answer: string; ms: number } | { error: string; ms: number };

/** Something that was not even tried, and why. */
export class Refused extends Error {}

const SHOWN_CHARACTERS = 500;

const words: Record<string, string> = {
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

/** In the words of this server: what the system says may tell of its network. */
export function wordsFor(error: unknown): string {
  if (error instanceof Refused) return error.message;
  const code = String((error as { code?: unknown } | null)?.code ?? '');
  if (words[code]) return words[code];
  if (/CERT|SIGNATURE|ISSUER/.test(code)) return `the certificate is not valid (${code})`;
  if (/^(HPE_|ERR_HTTP)/.test(code)) return `the answer is not HTTP (${code})`;
  if (/^(EPROTO|ERR_(SSL|TLS))/.test(code)) return 'no secure connection could be made';
  return `it could not be sent${code ? ` (${code})` : ''}`;
}

/** The beginning of an answer, as a column can hold it: PostgreSQL knows no NUL. */
export function toText(parts: readonly Buffer[]): string {
  const text = Buffer.concat(parts).toString('utf8').replaceAll('\0', '');
  return text.slice(0, SHOWN_CHARACTERS).toWellFormed();
}

export function wasSent(outcome: Outcome): boolean {
  return 'status' in outcome && outcome.status >= 200 && outcome.status < 300;
}

export function errorOf(outcome: Outcome): string {
  return 'error' in outcome ? outcome.error : `answered with status ${outcome.status}`;
}
