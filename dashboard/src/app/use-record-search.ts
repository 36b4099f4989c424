import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useLocation } from 'wouter';
import { keyOf, type Noun } from '../api/nouns.ts';
import { useSession } from '../api/session.ts';
import type { Command } from '../ui/command-palette.tsx';
import { useAllowedRoutes } from './shortcuts.ts';

/** The search starts when no key was pressed for this long. */
const TYPING_MS = 150;

export interface FoundRecord {
  id: string;
  name: string;
  description: string;
}

interface RecordSearch {
  title: string;
  /** Searches for words, when nothing more is typed for a moment. */
  find: (typed: string) => void;
  found: Command[];
  isSearching: boolean;
}

export interface RecordSearchOptions {
  noun: Noun;
  title: string;
  /** The page of the list. Each record has its own page below it. */
  path: string;
  /** The tab that translators see, if they see records at all. */
  translatorTab?: string;
  search: (signal: AbortSignal, words: string) => Promise<FoundRecord[]>;
  minLength?: number;
}

/** Finds records by words. A superseded request is canceled. */
export function useRecordSearch(options: RecordSearchOptions): RecordSearch {
  const { noun, title, path, search, minLength = 1, translatorTab = '' } = options;
  const [typed, find] = useState('');
  const [words, setWords] = useState('');
  const { user } = useSession();
  const route = useAllowedRoutes().find((one) => one.path.startsWith(`${path}/:id`));
  const tab = user.role === 'translator' ? translatorTab : '';
  const [, navigate] = useLocation();
  const wanted = route && typed.trim().length >= minLength ? typed.trim() : '';
  useEffect(() => {
    if (wanted === '') return setWords('');
    const timer = setTimeout(() => setWords(wanted), TYPING_MS);
    return () => clearTimeout(timer);
  }, [wanted]);
  const { data = [], isFetching } = useQuery({
    queryKey: keyOf(noun, 'search', user.id, words),
    queryFn: ({ signal }) => search(signal, words),
    enabled: words !== '',
    placeholderData: keepPreviousData,
  });
  const found = (words === '' ? [] : data).map(
    ({ id, name, description }): Command => ({
      id: `${path}/${id}`,
      label: name,
      description,
      ...(route?.icon && { icon: route.icon }),
      // The server has found this record for these words. The palette must not filter it out, because it may compare
      // letters in another way.
      words,
      onRun: () => navigate(`${path}/${id}${tab}`),
    }),
  );
  return { title, find, found, isSearching: wanted !== '' && (wanted !== words || isFetching) };
}
