import type { Entry, Host, Installation } from '../../api/installation.ts';

/** The result of the check, by the newest entry. */
export type CheckState =
  | { is: 'waiting' }
  | { is: 'script'; host: string }
  | { is: 'off'; host: string; urlId: string | null }
  | { is: 'rejected'; host: string; messages: readonly string[] }
  | { is: 'works'; host: string; entry: Entry | undefined; at: string };

export function findCheckState({ entries, hosts, first_seen_at, last_seen_at, missing }: Installation): CheckState {
  const [newest] = entries.filter(({ kind }) => kind === 'identify');
  if (newest && newest.outcome !== 'rejected')
    return { is: 'works', host: newest.host ?? '', entry: newest, at: newest.created_at };
  if (first_seen_at !== null && last_seen_at !== null)
    return { is: 'works', host: lastSeenHost(hosts), entry: undefined, at: last_seen_at };
  const off = missing.find(({ code }) => code === 'host_off');
  if (off) return { is: 'off', host: off.host ?? '', urlId: off.url_id };
  if (newest) return { is: 'rejected', host: newest.host ?? '', messages: newest.messages };
  const script = entries.find(({ kind, outcome }) => kind === 'script' && outcome === 'accepted');
  const loaded = hosts.find(({ installed_at, state }) => installed_at !== null && state === 'on');
  if (script || loaded) return { is: 'script', host: script?.host ?? loaded?.host ?? '' };
  return { is: 'waiting' };
}

function lastSeenHost(hosts: readonly Host[]): string {
  const seen = hosts.filter(({ last_seen_at }) => last_seen_at !== null);
  const [last] = seen.toSorted((one, other) => ((one.last_seen_at ?? '') < (other.last_seen_at ?? '') ? 1 : -1));
  return last?.host ?? '';
}

/** Which of the three conditions of a working page are met. */
export function findSteps({ entries, hosts, first_seen_at }: Installation) {
  const loaded = hosts.filter(({ installed_at }) => installed_at !== null);
  const user = first_seen_at !== null;
  return {
    script: user || loaded.length > 0 || entries.length > 0,
    domain: user || loaded.some(({ state }) => state === 'on') || entries.some(({ outcome }) => outcome === 'accepted'),
    user,
  };
}
