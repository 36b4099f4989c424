import type { IncomingMessage } from 'node:http';
import { networkOf } from './client-network.ts';

declare module '../context.ts' {
  interface AppContext {
    /** Proxies that send requests and that no setting names. */
    readonly untrustedProxies: UntrustedProxies;
  }
}

const MAX_NETWORKS = 20;

/**
 * Counts requests that came through a proxy which USHER_TRUST_PROXY does not name: their clients all seem to have the
 * address of the proxy. A client can send such a header itself, so this is a hint and no proof.
 */
export class UntrustedProxies {
  readonly #requests = new Map<string, number>();

  note({ headers, socket }: IncomingMessage): void {
    if (headers['x-forwarded-for'] === undefined && headers['x-forwarded-proto'] === undefined) return;
    const network = networkOf(socket.remoteAddress);
    const known = this.#requests.get(network);
    if (known === undefined && this.#requests.size >= MAX_NETWORKS) return;
    this.#requests.set(network, (known ?? 0) + 1);
  }

  /** Lists the proxies, the one with the most requests first. */
  list(): { network: string; requests: number }[] {
    return Array.from(this.#requests, ([network, requests]) => ({ network, requests })).sort(
      (one, other) => other.requests - one.requests,
    );
  }
}
