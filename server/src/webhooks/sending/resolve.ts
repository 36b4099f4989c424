import { lookup, Resolver } from 'node:dns/promises';

/** The addresses that a host name stands for. */
export type Resolve = (name: string) => Promise<string[]>;

/**
 * Asks the name servers itself: the system's own look-up takes a thread of the few that this process has, and a name
 * whose servers are dead would hold up whoever needs one, new database connections among them. The system is asked for
 * what the name servers do not know, as it has a list of its own.
 */
export function createResolve(): Resolve {
  const resolver = new Resolver({ timeout: 2000, tries: 2 });
  return async (name) => {
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    const addresses = [v4, v6].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
    if (addresses.length > 0) return addresses;
    const late = [v4, v6].find((answer) => answer.status === 'rejected' && answer.reason.code === 'ETIMEOUT');
    if (late?.status === 'rejected') throw late.reason;
    return (await lookup(name, { all: true })).map(({ address }) => address);
  };
}
