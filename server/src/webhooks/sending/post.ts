import http from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import { networkInterfaces } from 'node:os';
import { addressVersion, bareHost, mayConnect, type Network, problemOfTarget } from '@usher/domain';
import { decodeBody, describeError, ForbiddenAddress, type Outcome } from './outcome.ts';
import { createResolve, type Resolve } from './resolve.ts';

/** The limit from the lookup of the name to the last byte of the response. */
const TIMEOUT_MS = 7000;
const MAX_BODY_BYTES = 64 * 1024;
const IDLE_MS = 10_000;
/** Many items go to one host within a short time: the name is not looked up for each of them. */
const CACHE_MS = 10_000;
const MAX_CACHED_NAMES = 1000;

interface Options {
  /** Private networks that may be connected to. */
  allowed: readonly Network[];
  /** Networks that must not be connected to, even if they are allowed. */
  denied?: readonly Network[];
  /** The URL of this server, which must not send requests to itself. */
  ownUrl?: string;
  /** Addresses of this machine to send from, one after the other; if there are none, the system chooses. */
  sources: readonly string[];
  resolve?: Resolve;
  timeoutMs?: number;
  /** A certificate to trust instead of the usual ones. */
  ca?: string;
}

type Headers = Record<string, string>;

/**
 * Sends to addresses that customers choose, so it must not reach hosts of the private network. A host name is looked up
 * here, its addresses are checked, and the connection uses a checked address. No redirect is followed and no proxy is
 * used.
 */
export class Poster {
  readonly #options: Options;
  readonly #resolve: Resolve;
  readonly #timeoutMs: number;
  readonly #cachedNames = new Map<string, { addresses: Promise<string[]>; until: number }>();
  readonly #agents: { 'http:': http.Agent; 'https:': https.Agent };
  #nextSource = 0;
  /** The port that this server listens on, when it has started. */
  ownPort: number | undefined = undefined;

  constructor({ resolve = createResolve(), timeoutMs = TIMEOUT_MS, ...options }: Options) {
    this.#options = options;
    this.#resolve = resolve;
    this.#timeoutMs = timeoutMs;
    const kept = { keepAlive: true, timeout: IDLE_MS };
    const trusted = { rejectUnauthorized: true, ...(options.ca && { ca: options.ca }) };
    this.#agents = { 'http:': new http.Agent(kept), 'https:': new https.Agent({ ...kept, ...trusted }) };
  }

  /** Never throws: an error is part of the outcome. */
  async post(target: string, headers: Headers, body: string): Promise<Outcome> {
    const startedAt = performance.now();
    const timeout = new AbortController();
    const timer = setTimeout(() => timeout.abort(), this.#timeoutMs);
    try {
      const options = await withSignal(timeout.signal, this.#connectionTo(target));
      const ownHeaders = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), ...headers };
      const request = {
        ...options,
        method: 'POST',
        headers: { ...options.headers, ...ownHeaders },
        signal: timeout.signal,
      };
      // The receiver may have closed a kept-alive connection: then the next one, or a new one, is used.
      for (;;) {
        const response = await exchange(request, body, MAX_BODY_BYTES);
        if (response)
          return { status: response.status, answer: decodeBody([response.bytes]), ms: elapsedMs(startedAt) };
      }
    } catch (error) {
      const message = timeout.signal.aborted ? `no answer within ${this.#timeoutMs / 1000} s` : describeError(error);
      return { error: message, ms: elapsedMs(startedAt) };
    } finally {
      clearTimeout(timer);
    }
  }

  /** Sends a request by the same rules. It throws if there is no response. One that is too large is cut. */
  async request(
    target: string,
    { method, headers, body = '' }: { method: string; headers: Headers; body?: string },
    maxBytes: number,
  ): Promise<Exchanged> {
    const signal = AbortSignal.timeout(this.#timeoutMs);
    const options = await withSignal(signal, this.#connectionTo(target));
    const length = body === '' ? {} : { 'content-length': Buffer.byteLength(body) };
    const request = { ...options, method, headers: { ...options.headers, ...length, ...headers }, signal };
    for (;;) {
      const response = await exchange(request, body, maxBytes);
      if (response) return response;
    }
  }

  close(): void {
    for (const agent of Object.values(this.#agents)) agent.destroy();
  }

  async #connectionTo(target: string): Promise<https.RequestOptions> {
    const { allowed, denied = [], ownUrl } = this.#options;
    // The settings may have changed since the webhook was created.
    const problem = problemOfTarget(target, allowed, { denied, ...(ownUrl && { ownUrl }) });
    if (problem) throw new ForbiddenAddress(`the address ${problem}`);
    const url = new URL(target);
    const host = bareHost(url.hostname);
    const isName = addressVersion(host) === undefined;
    const resolved = isName ? await this.#addressesOf(host) : [host];
    const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
    const foreign = port === this.ownPort ? resolved.filter((address) => !isOwnAddress(address)) : resolved;
    const safe = foreign.filter((address) => mayConnect(url.protocol, address, allowed, denied));
    if (foreign.length === 0) throw new ForbiddenAddress('the host is this server itself');
    if (safe.length === 0)
      throw new ForbiddenAddress(
        'the host has no address on the public internet; an operator of this server can allow its network in `USHER_WEBHOOK_ALLOW_NETWORKS`',
      );
    const { addresses, localAddress } = this.#route(safe);
    return {
      agent: this.#agents[url.protocol as 'http:' | 'https:'],
      host,
      port,
      path: url.pathname + url.search,
      headers: { host: url.host },
      lookup: fixedLookup(addresses),
      ...(isName && { servername: host }),
      ...(localAddress !== undefined && { localAddress }),
    };
  }

  #addressesOf(name: string): Promise<string[]> {
    const now = performance.now();
    const cached = this.#cachedNames.get(name);
    if (cached && cached.until > now) return cached.addresses;
    if (this.#cachedNames.size >= MAX_CACHED_NAMES) this.#cachedNames.clear();
    const addresses = this.#resolve(name);
    this.#cachedNames.set(name, { addresses, until: now + CACHE_MS });
    addresses.catch(() => this.#cachedNames.delete(name));
    return addresses;
  }

  /** Chooses a source address, and the addresses that can be reached from it. */
  #route(safe: readonly string[]): { addresses: readonly string[]; localAddress?: string } {
    const { sources } = this.#options;
    if (sources.length === 0) return { addresses: safe };
    for (const first of safe) {
      const isSameVersion = (address: string) => addressVersion(address) === addressVersion(first);
      const candidates = sources.filter(isSameVersion);
      const localAddress = candidates[this.#nextSource % candidates.length];
      if (localAddress === undefined) continue;
      this.#nextSource += 1;
      return { addresses: safe.filter(isSameVersion), localAddress };
    }
    throw new ForbiddenAddress('none of the source addresses can reach the host');
  }
}

/** Reads the interfaces each time, because they can change. */
function isOwnAddress(address: string): boolean {
  const bare = address.replace(/^::ffff:/i, '');
  if (/^(127\.|0\.0\.0\.0$|::1?$)/.test(bare)) return true;
  return Object.values(networkInterfaces()).some((ones) => ones?.some((one) => one.address === bare));
}

/** A lookup function with a fixed result, so that the connection uses an address that was checked. */
function fixedLookup(addresses: readonly string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: addressVersion(address) ?? 0 }));
  return (_name, options, done) => {
    if (options.all) done(null, all);
    else done(null, all[0]?.address ?? '', all[0]?.family);
  };
}

interface Exchanged {
  status: number;
  headers: http.IncomingHttpHeaders;
  bytes: Buffer;
  isCut: boolean;
}

/** Sends one request. Resolves to undefined if a kept-alive connection turned out to be closed. */
function exchange(
  options: https.RequestOptions & { signal: AbortSignal },
  body: string,
  maxBytes: number,
): Promise<Exchanged | undefined> {
  const { request } = options.agent instanceof https.Agent ? https : http;
  return new Promise((resolve, reject) => {
    let responded = false;
    const outgoing = request(options, (incoming) => {
      responded = true;
      const chunks: Buffer[] = [];
      let bytes = 0;
      const finish = () => {
        const { statusCode: status = 0, headers } = incoming;
        resolve({ status, headers, bytes: Buffer.concat(chunks), isCut: bytes >= maxBytes });
      };
      incoming.on('data', (chunk: Buffer) => {
        if (bytes < maxBytes) chunks.push(chunk);
        bytes += chunk.length;
        if (bytes < maxBytes) return;
        finish();
        incoming.destroy();
      });
      incoming.on('end', finish);
      incoming.on('error', reject);
    });
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      if (outgoing.reusedSocket && !responded && /^(ECONNRESET|EPIPE)$/.test(error.code ?? '')) resolve(undefined);
      else reject(error);
    });
    outgoing.end(body);
  });
}

function withSignal<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    work.then(resolve, reject);
  });
}

function elapsedMs(startedAt: number): number {
  return Math.round(performance.now() - startedAt);
}
