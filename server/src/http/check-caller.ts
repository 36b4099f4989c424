import { explainMissing, hasPermission, isInNetworks, type Millis, readNetwork } from '@usher/domain';
import type { Actor, Caller } from '../context.ts';
import { forbidden, passwordNeeded } from '../errors.ts';
import { withoutPort } from './client-network.ts';
import type { Route } from './route.ts';

/** Rejects a caller who may not call this endpoint: from here, with this role and scope, or without a password. */
export function checkCaller(
  { permission, confirm }: Pick<Route, 'permission' | 'confirm'>,
  { actor }: Caller,
  ip: string,
  now: Millis,
): void {
  const { role, secret } = actor;
  if (secret?.networks && !isAllowed(ip, secret.networks))
    throw forbidden(`This secret may not be used from ${ip}: its networks are ${secret.networks.join(', ')}`);
  const grant = { role, scope: secret?.scope };
  if (permission !== null && !hasPermission(grant, permission)) throw forbidden(explainMissing(grant, permission));
  if (confirm) requireConfirmation(actor, now);
}

/** Rejects a person whose last password is too long ago. A secret needs no password: it is shown to nobody but its owner. */
export function requireConfirmation({ session }: Actor, now: Millis): void {
  if (session && session.confirmedUntil <= now) throw passwordNeeded();
}

function isAllowed(ip: string, networks: readonly string[]): boolean {
  return isInNetworks(
    withoutPort(ip),
    networks.flatMap((network) => readNetwork(network) ?? []),
  );
}
