import { generateKeyPairSync, type KeyObject, X509Certificate } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Millis } from '@usher/domain';
import { createCertificateRequest } from './create-request.ts';
import { AcmeError, keyAuthorization, parse, SignedRequests } from './send-signed.ts';

/** A challenge or an order that takes longer has failed. */
const MAX_WAIT_MS: Millis = 3 * 60_000;
const MIN_POLL_MS: Millis = 1000;
const MAX_POLL_MS: Millis = 15_000;

interface Resource {
  status: 'pending' | 'ready' | 'processing' | 'valid' | 'invalid' | 'deactivated' | 'expired' | 'revoked';
  error?: { detail?: string };
}

interface Order extends Resource {
  authorizations: string[];
  finalize: string;
  certificate?: string;
}

interface Challenge extends Resource {
  type: string;
  url: string;
  token: string;
}

interface Authorization extends Resource {
  identifier: { value: string };
  challenges: Challenge[];
}

interface OrderOptions {
  directory: string;
  directoryCa: Buffer | undefined;
  email: string | undefined;
  domains: readonly string[];
  /** The key of the ACME account. The account is created with the first order. */
  accountKey: KeyObject;
  /** Stores what has to be returned for a token before the server of the directory asks for it. */
  addChallenge(token: string, keyAuthorization: string): Promise<void>;
  signal: AbortSignal;
}

/** Orders a certificate by ACME (RFC 8555) with challenges over HTTP. Returns the chain and its key as PEM. */
export async function orderCertificate(options: OrderOptions): Promise<{ chain: string; privateKey: string }> {
  const { directory, directoryCa: ca, domains, accountKey: key, signal } = options;
  const requests = new SignedRequests({ directory, ca, key, signal });
  try {
    await signIn(requests, options.email);
    const { newOrder } = await requests.directory();
    const identifiers = domains.map((value) => ({ type: 'dns', value }));
    const created = await requests.post(newOrder, { identifiers });
    const order = parse<Order>(created);
    for (const url of order.authorizations) await authorize(requests, url, options);
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const csr = createCertificateRequest(privateKey, domains).toString('base64url');
    await requests.post(order.finalize, { csr });
    const { certificate } = await waitUntilValid<Order>(requests, created.location, 'order', signal);
    if (certificate === undefined) throw new AcmeError('The order is valid and has no certificate');
    const { text: chain } = await requests.post(certificate);
    checkChain(chain, privateKey, domains);
    return { chain, privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
  } finally {
    requests.close();
  }
}

/** Creates the account. If there is one with this key, it is returned. */
async function signIn(requests: SignedRequests, email: string | undefined): Promise<void> {
  const contact = email === undefined ? [] : [`mailto:${email}`];
  const { newAccount } = await requests.directory();
  const response = await requests.post(newAccount, { termsOfServiceAgreed: true, contact });
  requests.account = response.location;
  const known = parse<{ contact?: string[] }>(response).contact ?? [];
  if (response.status === 200 && email !== undefined && !known.includes(contact[0] as string))
    await requests.post(response.location, { contact });
}

/** Proves that requests to one of the domains reach this installation, unless that is known from an earlier order. */
async function authorize(requests: SignedRequests, url: string, options: OrderOptions): Promise<void> {
  const { status, identifier, challenges } = parse<Authorization>(await requests.post(url));
  if (status === 'valid') return;
  const challenge = challenges.find(({ type }) => type === 'http-01');
  if (!challenge) throw new AcmeError(`There is no challenge over HTTP for ${identifier.value}`);
  await options.addChallenge(challenge.token, keyAuthorization(challenge.token, options.accountKey));
  await requests.post(challenge.url, {});
  await waitUntilValid<Authorization>(requests, url, `authorization of ${identifier.value}`, options.signal);
}

async function waitUntilValid<Content extends Resource & { challenges?: Challenge[] }>(
  requests: SignedRequests,
  url: string,
  what: string,
  signal: AbortSignal,
): Promise<Content> {
  const until = performance.now() + MAX_WAIT_MS;
  for (;;) {
    const response = await requests.post(url);
    const content = parse<Content>(response);
    const { status, error, challenges = [] } = content;
    if (status === 'valid') return content;
    if (status !== 'pending' && status !== 'processing' && status !== 'ready') {
      const reasons = [error, ...challenges.map((challenge) => challenge.error)].flatMap((one) => one?.detail ?? []);
      throw new AcmeError(`The ${what} is ${status}${reasons.length > 0 ? `: ${reasons.join('; ')}` : ''}`);
    }
    if (performance.now() > until) throw new AcmeError(`The ${what} is still ${status} after three minutes`);
    const wait = Math.min(MAX_POLL_MS, Math.max(MIN_POLL_MS, response.retryAfter ?? 0));
    await pause(wait, undefined, { signal });
  }
}

/** What cannot be used must not replace what is in use. */
function checkChain(chain: string, privateKey: KeyObject, domains: readonly string[]): void {
  const certificate = new X509Certificate(chain);
  const missing = domains.find((domain) => certificate.checkHost(domain) === undefined);
  if (missing !== undefined) throw new AcmeError(`The certificate is not for ${missing}`);
  if (!certificate.checkPrivateKey(privateKey)) throw new AcmeError('The certificate is for another key');
}
