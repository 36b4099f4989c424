import { useSession } from '../../../../api/session.ts';
import { useStoredValue } from '../../../../ui/use-stored-value.ts';

/** The user for whom a draft is tried: the user of the page, or another person. */
interface TriedAs {
  kind: 'self' | 'person';
  profileId: string | null;
}

/** The choice is stored in this browser, for each account. */
export function useTriedAs(): [TriedAs, (change: Partial<TriedAs>) => void] {
  const { account } = useSession();
  const [stored, store] = useStoredValue(`usher-tried-as-${account.id}`);
  const triedAs = read(stored);
  return [triedAs, (change) => store(JSON.stringify({ ...triedAs, ...change }))];
}

/** People and extensions can change the storage of a browser, so it may contain anything. */
function read(stored: string | null): TriedAs {
  try {
    const { kind, profileId } = JSON.parse(stored ?? '{}');
    return {
      kind: kind === 'person' ? 'person' : 'self',
      profileId: typeof profileId === 'string' ? profileId : null,
    };
  } catch {
    return { kind: 'self', profileId: null };
  }
}
