import { useSession } from '../api/session.ts';
import { useStoredValue } from '../ui/use-stored-value.ts';

/** The person and the page that "Who sees this?" is about. */
export interface Choice {
  profileId: string | null;
  /** The page as it was typed; null before anything was typed. */
  page: string | null;
}

/** The choice is stored in this browser, for each account. All Experiences share it. */
export function useChoice(): [Choice, (change: Partial<Choice>) => void] {
  const { account } = useSession();
  const [stored, store] = useStoredValue(`usher-who-${account.id}`);
  const choice = read(stored);
  return [choice, (change) => store(JSON.stringify({ ...choice, ...change }))];
}

/** People and extensions can change the storage of a browser, so it may contain anything. */
function read(stored: string | null): Choice {
  const saved = parse(stored);
  const textOf = (value: unknown) => (typeof value === 'string' ? value : null);
  return { profileId: textOf(saved.profileId), page: textOf(saved.page) };
}

function parse(stored: string | null): Record<string, unknown> {
  try {
    return JSON.parse(stored ?? '{}') ?? {};
  } catch {
    return {};
  }
}
