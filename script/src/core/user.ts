import { type Identity, mergeIdentity, withProperties } from '../engine/identity.ts';

/** The user, as far as the page has identified them. */
export interface User {
  /** The identity; undefined until the page has identified the user. Each change creates a new object. */
  readonly identity: Identity | undefined;
  /** Returns whether the last call had the same values. Applications repeat the call each time they render. */
  isRepeated(identity: Identity): boolean;
  /** Adds the values of a call. Returns whether the identity has changed. */
  identify(identity: Identity): boolean;
  /** Adds properties, also before the user is identified. */
  set(properties: Record<string, unknown>): void;
  clear(): void;
}

export function createUser(): User {
  let identity: Identity | undefined;
  let lastCall: string | undefined;
  let earlyProperties: Record<string, unknown> = {};
  return {
    get identity() {
      return identity;
    },
    isRepeated: (next) => JSON.stringify(next) === lastCall,
    identify: (next) => {
      lastCall = JSON.stringify(next);
      const merged = identity ? mergeIdentity(identity, next) : withProperties(next, earlyProperties);
      earlyProperties = {};
      if (JSON.stringify(merged) === JSON.stringify(identity)) return false;
      identity = merged;
      return true;
    },
    set: (properties) => {
      if (identity) identity = withProperties(identity, properties);
      else earlyProperties = { ...earlyProperties, ...properties };
    },
    clear: () => {
      identity = lastCall = undefined;
    },
  };
}
