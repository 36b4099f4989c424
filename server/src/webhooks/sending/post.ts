import http from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import { networkInterfaces } from 'node:os';
import { addressVersion, bareHost, mayConnect, type Network, problemOfTarget } from '@usher/domain';
import { type Outcome, Refused, toText, wordsFor } from './outcome.ts';
import { createResolve, type Resolve } from './resolve.ts';

/** From the look-up of the name to the last byte of the answer. */
const ANSWERED_WITHIN_MS = 7000;
const MAX_READ = 64 * 1024;
const IDLE_MS = 10_000;
/** Many items go to one host within a moment: its name is not asked for each. */
const RESOLVED_FOR_MS = 10_000;
const MAX_NAMES = 1000;

interface Options {
  /** Networks that may be sent to though they are private. */
  allowed: readonly Network[];
  /** Networks that are never sent to, whatever is allowed. */
  denied?: readonly Network[];
  /** Where this server is reached: what it sends must not come back to it. */
  ownUrl?: string;
  /** Addresses of this machine to send from, in turn; without any the system chooses. */
  sources: readonly string[];
  resolve?: Resolve;
  withinMs?: number;
  /** A certificate to trust instead of the usual ones. */
  ca?: string;
}

type Headers = Record<string, string>;

/**
 * Sends to addresses that customers have named, and so nowhere that only this machine can reach: a host name is looked
 * up here, what it stands for is checked, and only what was checked is connected to. No redirect is followed, no proxy
 * asked.
 */
export class Poster {
  readonly #options: Options;
  readonly #resolve: Resolve;
  readonly #withinMs: number;
  readonly #names = new Map<string, { addresses: Promise<string[]>; until: number }>();
  readonly #agents: { 'http:': http.Agent; 'https:': https.Agent };
  #turn = 0;
  /** The port that this server listens on, once it does. */
  ownPort: number | undefined = undefined;

  constructor({ resolve = createResolve(), withinMs = ANSWERED_WITHIN_MS, ...options }: Options) {
    this.#options = options;
    this.#resolve = resolve;
    this.#withinMs = withinMs;
    const kept = { keepAlive: true, timeout: IDLE_MS };
    const trusted = { rejectUnauthorized: true, ...(options.ca && { ca: options.ca }) };
    this.#agents = { 'http:': new http.Agent(kept), 'https:': new https.Agent({ ...kept, ...trusted }) };
  }

  /** Whatever happens is told, never thrown. */
  async post(target: string, headers: Headers, body: string): Promise<Outcome> {
    const begun = performance.now();
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), this.#withinMs);
    try {
      const options = await before(late.signal, this.#connectionTo(target));
      const sent = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body), ...headers };
      const request = { ...options, method: 'POST', headers: { ...options.headers, ...sent }, signal: late.signal };
      // A connection that was kept may have been closed at its other end: the next, or a new one, is taken then.
      for (;;) {
        const answered = await exchange(request, body);
        if (answered) return { ...answered, ms: since(begun) };
      }
    } catch (error) {
      const what = late.signal.aborted ? `no answer within ${this.#withinMs / 1000} s` : wordsFor(error);
      return { error: what, ms: since(begun) };
    } finally {
      clearTimeout(timer);
    }
  }

  close(): void {
    for (const agent of Object.values(this.#agents)) agent.destroy();
  }

  async #connectionTo(target: string): Promise<https.RequestOptions> {
    const { allowed, denied = [], ownUrl } = this.#options;
    // The settings may have changed since it was named.
    const problem = problemOfTarget(target, allowed, { denied, ...(ownUrl && { ownUrl }) });
    if (problem) throw new Refused(`the address ${problem}`);
    const url = new URL(target);
    const host = bareHost(url.hostname);
    const isName = addressVersion(host) === undefined;
    const found = isName ? await this.#addressesOf(host) : [host];
    const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80));
    const foreign = port === this.ownPort ? found.filter((address) => !isOwnAddress(address)) : found;
    const safe = foreign.filter((address) => mayConnect(url.protocol, address, allowed, denied));
    if (foreign.length === 0) throw new Refused('the host is this server itself');
    if (safe.length === 0) throw new Refused('the host has no address on the public internet');
    const { addresses, localAddress } = this.#route(safe);
    return {
      agent: this.#agents[url.protocol as 'http:' | 'https:'],
      host,
      port,
      path: url.pathname + url.search,
      headers: { host: url.host },
      lookup: answering(addresses),
      ...(isName && { servername: host }),
      ...(localAddress !== undefined && { localAddress }),
    };
  }

  #addressesOf(name: string): Promise<string[]> {
    const now = performance.now();
    const known = this.#names.get(name);
    if (known && known.until > now) return known.addresses;
    if (this.#names.size >= MAX_NAMES) this.#names.clear();
    const addresses = this.#resolve(name);
    this.#names.set(name, { addresses, until: now + RESOLVED_FOR_MS });
    addresses.catch(() => this.#names.delete(name));
    return addresses;
  }

  /** An address of this machine to leave from, and those that can be reached from it. */
  #route(safe: readonly string[]): { addresses: readonly string[]; localAddress?: string } {
    const { sources } = this.#options;
    if (sources.length === 0) return { addresses: safe };
    for (const first of safe) {
      const isAlike = (address: string) => addressVersion(address) === addressVersion(first);
      const alike = sources.filter(isAlike);
      const localAddress = alike[this.#turn % alike.length];
      if (localAddress === undefined) continue;
      this.#turn += 1;
      return { addresses: safe.filter(isAlike), localAddress };
    }
    throw new Refused('none of the source addresses can reach the host');
  }
}

/** Whether an address is one of this machine's, as its interfaces are now. */
function isOwnAddress(address: string): boolean {
  const bare = address.replace(/^::ffff:/i, '');
  if (/^(127\.|0\.0\.0\.0$|::1?$)/.test(bare)) return true;
  return Object.values(networkInterfaces()).some((ones) => ones?.some((one) => one.address === bare));
}

/** A look-up that knows the answer: what was checked is what is connected to. */
function answering(addresses: readonly string[]): LookupFunction {
  const all = addresses.map((address) => ({ address, family: addressVersion(address) ?? 0 }));
  return (_name, options, done) => {
    if (options.all) done(null, all);
    else done(null, all[0]?.address ?? '', all[0]?.family);
  };
}

/** One request and its answer; nothing where a kept connection turned out to be closed. */
function exchange(
  options: https.RequestOptions & { signal: AbortSignal },
  body: string,
): Promise<{ status: number; answer: string } | undefined> {
  const { request } = options.agent instanceof https.Agent ? https : http;
  return new Promise((resolve, reject) => {
    let answered = false;
    const outgoing = request(options, (incoming) => {
      answered = true;
      const parts: Buffer[] = [];
      let read = 0;
      const finish = () => resolve({ status: incoming.statusCode ?? 0, answer: toText(parts) });
      incoming.on('data', (part: Buffer) => {
        if (read < MAX_READ) parts.push(part);
        read += part.length;
        if (read < MAX_READ) return;
        finish();
        incoming.destroy();
      });
      incoming.on('end', finish);
      incoming.on('error', reject);
    });
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      if (outgoing.reusedSocket && !answered && /^(ECONNRESET|EPIPE)$/.test(error.code ?? '')) resolve(undefined);
      else reject(error);
    });
    outgoing.end(body);
  });
}

function before<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    work.then(resolve, reject);
  });
}

function since(begun: number): number {
  return Math.round(performance.now() - begun);
}
