import { lookup, Resolver } from 'node:dns/promises';

/** Looks up the addresses of a host name. */
export type Resolve = (name: string) => Promise<string[]>;

/**
 * Queries the name servers directly. The system's own lookup takes one of the few threads of this process: names with
 * dead name servers would block everything else that needs a thread, such as new database connections. The system is used
 * only for names that the name servers do not know, because it has its own list.
 */
export function createResolve(): Resolve {
  const resolver = new Resolver({ timeout: 2000, tries: 2 });
  return async (name) => {
    const results = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const addresses = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
    if (addresses.length > 0) return addresses;
    const timedOut = results.find((result) => result.status === 'rejected' && result.reason.code === 'ETIMEOUT');
    if (timedOut?.status === 'rejected') throw timedOut.reason;
    return (await lookup(name, { all: true })).map(({ address }) => address);
  };
}
