import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { useSession } from '../api/session.ts';
import * as text from '../messages/text.ts';
import type { Command } from '../ui/command-palette.tsx';
import { useAllowedRoutes } from './shortcuts.ts';

/** Who types does not wait longer than this between two keys. */
const TYPING_MS = 150;
const PATH = '/app/experiences';
const ROUTE = `${PATH}/:id/:tab?`;

interface ExperienceSearch {
  title: string;
  /** Searches for a name, when nothing else is typed for a moment. */
  find: (typed: string) => void;
  found: Command[];
  isSearching: boolean;
}

/** Finds Experiences by their name. A request that nobody waits for anymore is canceled. */
export function useExperienceSearch(): ExperienceSearch {
  const [typed, find] = useState('');
  const [search, setSearch] = useState('');
  const { user } = useSession();
  const route = useAllowedRoutes().find(({ path }) => path === ROUTE);
  const tab = user.role === 'translator' ? '/languages' : '';
  const [, navigate] = useLocation();
  const wanted = route ? typed.trim() : '';
  useEffect(() => {
    if (wanted === '') return setSearch('');
    const timer = setTimeout(() => setSearch(wanted), TYPING_MS);
    return () => clearTimeout(timer);
  }, [wanted]);
  const { data = [], isFetching } = useQuery({
    queryKey: ['experiences', 'search', user.id, search],
    queryFn: async ({ signal }) => (await import('./search-experiences.ts')).searchExperiences(signal, search),
    enabled: search !== '',
    placeholderData: keepPreviousData,
  });
  const listed = search === '' ? [] : data;
  const found = listed.map(
    ({ id, name, description }): Command => ({
      id: `${PATH}/${id}`,
      label: name,
      description,
      ...(route?.icon && { icon: route.icon }),
      // The server has found it, whatever the letters are that it takes for the same.
      words: search,
      onRun: () => navigate(`${PATH}/${id}${tab}`),
    }),
  );
  return {
    title: text.titles.experiences,
    find,
    found,
    isSearching: wanted !== '' && (wanted !== search || isFetching),
  };
}
