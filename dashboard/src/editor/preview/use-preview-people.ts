import { useQuery } from '@tanstack/react-query';
import { query } from '../../api/queries.ts';
import type { PreviewProfile } from './preview-content.ts';

const MAX_PEOPLE = 50;

interface PreviewPeople {
  /** The newest users, and the chosen user. */
  people: { id: string; name: string }[];
  /** The chosen user; null if there is none, or while the profile is loading. */
  profile: PreviewProfile | null;
}

/** The users whose values can fill the preview. */
export function usePreviewPeople(profileId: string | null): PreviewPeople {
  const list = useQuery(query('GET /v3/analyze/profiles', { limit: MAX_PEOPLE }));
  const newest = (list.data?.profiles ?? []) as (PreviewProfile & { id: string })[];
  const known = newest.find(({ id }) => id === profileId);
  const one = useQuery({
    ...query('GET /v3/analyze/profiles/{id}', { id: profileId ?? '' }),
    enabled: profileId !== null && list.isSuccess && !known,
    retry: false,
  });
  const profile = known ?? ((profileId && one.data?.profile) as (PreviewProfile & { id: string }) | undefined) ?? null;
  const shown = profile && !known ? [profile, ...newest] : newest;
  return { people: shown.map((person) => ({ id: person.id, name: nameOf(person) })), profile };
}

function nameOf({ name, email, uid }: PreviewProfile): string {
  const texts = [name, email, uid].filter((text): text is string => typeof text === 'string' && text !== '');
  return texts.slice(0, 2).join(' · ');
}
