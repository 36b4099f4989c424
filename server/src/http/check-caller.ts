import { explainMissing, hasPermission, isInNetworks, readNetwork } from '@usher/domain';
import type { Actor, Caller } from '../context.ts';
import { forbidden } from '../errors.ts';
import { withoutPort } from './client-network.ts';
import type { Route } from './route.ts';

/** Rejects a caller who may not call this endpoint: not from this network, or not with this role and scope. */
export function checkCaller(
  { permission, showsPeople = false }: Pick<Route, 'permission'> & { showsPeople?: boolean },
  { actor }: Caller,
  ip: string,
): void {
  const { role, secret } = actor;
  if (secret?.networks && !isAllowed(ip, secret.networks))
    throw forbidden(`This secret may not be used from ${ip}: its networks are ${secret.networks.join(', ')}`);
  const grant = { role, scope: secret?.scope };
  if (permission !== null && !hasPermission(grant, permission)) throw forbidden(explainMissing(grant, permission));
  if (showsPeople && !mayReadPeople(actor)) throw forbidden(NO_PEOPLE);
}

/** Other scopes are for backends, which read what they have sent. */
export function mayReadPeople({ secret }: Pick<Actor, 'secret'>): boolean {
  return secret?.scope !== 'propose' || secret.people;
}

/** For an assistant whose secret may not read data of people. */
export const NO_PEOPLE =
  'This secret may not read data of people: an owner can create one that may, under Settings → API secrets';

function isAllowed(ip: string, networks: readonly string[]): boolean {
  return isInNetworks(
    withoutPort(ip),
    networks.flatMap((network) => readNetwork(network) ?? []),
  );
}
