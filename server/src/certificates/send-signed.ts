import { createHash, createPublicKey, type KeyObject, sign } from 'node:crypto';
import { Agent, request } from 'node:https';
import type { Millis } from '@usher/domain';

const TIMEOUT_MS: Millis = 30_000;
const MAX_BYTES = 1_000_000;
/** Some servers reject a good nonce now and then, to keep clients prepared for it. */
const MAX_NONCE_RETRIES = 10;

/** What the server of a directory says about a request that it rejects. */
export class AcmeError extends Error {
  /** Such as `urn:ietf:params:acme:error:rateLimited`. */
  readonly type: string;
  /** For how long the server wants no other request. */
  readonly retryAfter: Millis | undefined;

  constructor(message: string, { type = '', retryAfter }: { type?: string; retryAfter?: Millis | undefined } = {}) {
    super(message);
    this.type = type;
    this.retryAfter = retryAfter;
  }
}

export interface AcmeResponse {
  status: number;
  /** The address of what was created. */
  location: string;
  retryAfter: Millis | undefined;
  text: string;
}

interface Options {
  key: KeyObject;
  directory: string;
  ca: Buffer | undefined;
  signal: AbortSignal;
}

/** The addresses that the directory names. */
interface Directory {
  newNonce: string;
  newAccount: string;
  newOrder: string;
}

/** Sends requests that are signed with the key of an ACME account (RFC 8555, section 6). */
export class SignedRequests {
  readonly #options: Options;
  readonly #agent: Agent;
  #nonce: string | undefined;
  #directory: Directory | undefined;
  /** The address of the account, once it is known. */
  account: string | undefined;

  constructor(options: Options) {
    this.#options = options;
    this.#agent = new Agent({ keepAlive: true, ...(options.ca && { ca: options.ca }) });
  }

  async directory(): Promise<Directory> {
    this.#directory ??= parse<Directory>(await this.#send('GET', this.#options.directory));
    return this.#directory;
  }

  /** Sends the payload as JSON. Without one it reads, which ACME does by POST too. */
  async post(url: string, payload?: object): Promise<AcmeResponse> {
    for (let retries = 0; ; retries += 1) {
      try {
        const body = this.#sign(url, payload, this.#nonce ?? (await this.#newNonce()));
        this.#nonce = undefined;
        return await this.#send('POST', url, body);
      } catch (error) {
        const isBadNonce = error instanceof AcmeError && error.type.endsWith(':badNonce');
        if (!isBadNonce || retries === MAX_NONCE_RETRIES) throw error;
      }
    }
  }

  close(): void {
    this.#agent.destroy();
  }

  async #newNonce(): Promise<string> {
    const { newNonce } = await this.directory();
    await this.#send('HEAD', newNonce);
    if (this.#nonce === undefined) throw new AcmeError('The server of the directory returned no nonce');
    return this.#nonce;
  }

  /** A JWS: the account is named by its address, or by its key as long as the address is not known. */
  #sign(url: string, payload: object | undefined, nonce: string): string {
    const { key } = this.#options;
    const signer = this.account === undefined ? { jwk: publicJwk(key) } : { kid: this.account };
    const header = encode(JSON.stringify({ alg: 'ES256', nonce, url, ...signer }));
    const content = payload === undefined ? '' : encode(JSON.stringify(payload));
    const signature = sign('sha256', Buffer.from(`${header}.${content}`), { key, dsaEncoding: 'ieee-p1363' });
    return JSON.stringify({ protected: header, payload: content, signature: encode(signature) });
  }

  async #send(method: string, url: string, body?: string): Promise<AcmeResponse> {
    const timeout = AbortSignal.timeout(TIMEOUT_MS);
    const signal = AbortSignal.any([this.#options.signal, timeout]);
    const headers = { 'User-Agent': 'usher', ...(body !== undefined && { 'Content-Type': 'application/jose+json' }) };
    return new Promise((resolve, reject) => {
      const fail = (error: unknown) =>
        reject(timeout.aborted ? new AcmeError(`${new URL(url).host} does not respond`) : error);
      const sent = request(url, { method, headers, signal, agent: this.#agent }, async (response) => {
        try {
          const { statusCode: status = 0, headers: received } = response;
          const nonce = received['replay-nonce'];
          if (nonce !== undefined) this.#nonce = String(nonce);
          let text = '';
          for await (const chunk of response.setEncoding('utf8')) {
            text += chunk;
            if (text.length > MAX_BYTES) throw new AcmeError(`${url} returned more than a megabyte`);
          }
          const retryAfter = readRetryAfter(received['retry-after']);
          if (status >= 300) reject(toError(url, status, text, retryAfter));
          else resolve({ status, location: String(received.location ?? ''), retryAfter, text });
        } catch (error) {
          fail(error);
        }
      });
      sent.once('error', fail).end(body);
    });
  }
}

/** What proves that the account wants an authorization: the token of the challenge with a hash of the account's key. */
export function keyAuthorization(token: string, key: KeyObject): string {
  const { crv, kty, x, y } = publicJwk(key);
  // The hash is over exactly these members in this order (RFC 7638).
  return `${token}.${createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url')}`;
}

export function parse<Content>({ text }: AcmeResponse): Content {
  try {
    return JSON.parse(text);
  } catch {
    throw new AcmeError('The server of the directory did not return JSON');
  }
}

function publicJwk(key: KeyObject) {
  return createPublicKey(key).export({ format: 'jwk' });
}

function encode(content: string | Buffer): string {
  return Buffer.from(content).toString('base64url');
}

/** A number of seconds, or a date. */
function readRetryAfter(text: string | undefined): Millis | undefined {
  if (text === undefined) return undefined;
  const wait = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Number.isFinite(wait) ? Math.max(0, wait) : undefined;
}

function toError(url: string, status: number, text: string, retryAfter: Millis | undefined): AcmeError {
  let problem: { type?: string; detail?: string } = {};
  try {
    problem = JSON.parse(text);
  } catch {}
  const { type = '', detail = `${new URL(url).host} responded with ${status}` } = problem;
  return new AcmeError(detail, { type, retryAfter });
}
