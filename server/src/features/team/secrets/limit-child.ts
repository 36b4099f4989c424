import {
  type CreateSecret,
  isWithinNetworks,
  isWithinScope,
  type Millis,
  readNetwork,
  toTimestamp,
} from '@usher/domain';
import { invalid } from '../../../errors.ts';

/** What a secret may be used for, until when and from where; null is no limit. */
export interface SecretLimits extends Pick<CreateSecret, 'scope'> {
  people: boolean;
  expires_at: Millis | null;
  networks: string[] | null;
}

/**
 * The limits of a secret that another secret creates: at most the limits of its parent, and the same where nothing else
 * is requested. Otherwise a limited secret could get rid of its limits.
 */
export function limitChild(child: SecretLimits, parent: SecretLimits): SecretLimits {
  const { scope, people, expires_at, networks } = child;
  if (!isWithinScope(scope, parent.scope))
    throw tooWide('scope', `\`${parent.scope}\``, 'give that one, or one that permits less');
  if (parent.expires_at !== null && expires_at !== null && expires_at > parent.expires_at)
    throw tooWide('expires_at', toTimestamp(parent.expires_at), 'give that time or an earlier one');
  const allowed = parent.networks?.flatMap((text) => readNetwork(text) ?? []);
  const outside = allowed && networks?.find((text) => !isWithinNetworks(text, allowed));
  if (outside !== undefined)
    throw tooWide('networks', parent.networks?.join(', ') ?? '', `\`${outside}\` is outside of these`);
  return { scope, people, expires_at: expires_at ?? parent.expires_at, networks: networks ?? parent.networks };
}

function tooWide(field: string, limit: string, hint: string) {
  return invalid(
    `\`${field}\` must not permit more than the secret that makes this one, whose \`${field}\` is ${limit}: ${hint}`,
  );
}
