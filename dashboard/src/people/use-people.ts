import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { ApiError } from '../api/errors.ts';
import { query } from '../api/queries.ts';

interface Profile {
  id: string;
  uid?: string;
  email?: unknown;
  name?: unknown;
}
export interface Person {
  id: string;
  /** The name of the person, or else the email or the ID. */
  name: string;
  /** Name, email and ID, so that each of them can be typed to find the person. */
  label: string;
}

const MAX_PEOPLE = 20;

interface People {
  people: Person[];
  chosen: Person | undefined;
  /** Whether the chosen person was forgotten meanwhile. */
  isGone: boolean;
  isEmpty: boolean;
}

/** The people whose name, email or ID contains this text, and the chosen person. */
export function usePeople(search: string, chosenId: string | null): People {
  const filters = ['uid', 'email', 'name'].map((prop) => ({
    kind: 'property' as const,
    prop,
    op: 'in-i',
    value: search,
  }));
  const list = useQuery({
    ...query('GET /v3/analyze/profiles', {
      limit: MAX_PEOPLE,
      ...(search !== '' && { filters, filters_op: 'or' as const }),
    }),
    placeholderData: keepPreviousData,
  });
  const found = list.data?.profiles ?? [];
  const one = useQuery({
    ...query('GET /v3/analyze/profiles/{id}', { id: chosenId ?? '' }),
    enabled: chosenId !== null,
    staleTime: 60_000,
  });
  const profile = found.find(({ id }) => id === chosenId) ?? (chosenId && one.data?.profile);
  const chosen = profile ? toPerson(profile) : undefined;
  const others = found.filter(({ id }) => id !== chosenId).map(toPerson);
  return {
    people: chosen ? [chosen, ...others] : others,
    chosen,
    isGone: one.error instanceof ApiError && one.error.status === 404,
    isEmpty: search === '' && list.isSuccess && others.length === 0 && !chosen,
  };
}

export function toPerson({ id, uid, email, name }: Profile): Person {
  const texts = [name, email, uid].filter((text): text is string => typeof text === 'string' && text !== '');
  return { id, name: texts[0] ?? id, label: [...new Set(texts)].join(' · ') || id };
}
