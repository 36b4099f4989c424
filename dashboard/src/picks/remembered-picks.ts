import { useSession } from '../api/session.ts';
import { useStoredValue } from '../ui/use-stored-value.ts';
import { picksKey } from './picks-key.ts';

/*
 * The picks of this browser, by step, so that no pick is lost when the dialog or the tab is closed. Keys and codes are
 * not stored.
 */

const MAX_REMEMBERED = 20;

type Remembered = Record<string, string>;

/** People and extensions can change the storage of a browser, so it may contain anything. */
export function readPicks(stored: string | null): Remembered {
  try {
    const entries = Object.entries(JSON.parse(stored ?? '{}') ?? {});
    return Object.fromEntries(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
  } catch {
    return {};
  }
}

/** Sets or removes the pick of a step. The oldest picks are dropped. */
export function withPick(picks: Remembered, step: string, id: string | null): Remembered {
  const others = Object.entries(picks).filter(([of]) => of !== step);
  const all = id === null ? others : [...others, [step, id] as const];
  return Object.fromEntries(all.slice(-MAX_REMEMBERED));
}

export function useRememberedPick(step: string): [id: string | null, remember: (id: string | null) => void] {
  const { user } = useSession();
  const [stored, store] = useStoredValue(picksKey(user.id));
  const picks = readPicks(stored);
  return [picks[step] ?? null, (id) => store(JSON.stringify(withPick(picks, step, id)))];
}
