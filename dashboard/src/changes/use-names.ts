import { useQuery } from '@tanstack/react-query';
import type { NameOf } from '@usher/domain/sentences';
import { useCallback, useMemo } from 'react';
import { query } from '../api/queries.ts';
import type { Change } from './change.ts';

/** Finds the names of the records that Changes contain as IDs. Only these records are loaded. */
export function useNames(changes: readonly Pick<Change, 'path' | 'object'>[] | undefined): NameOf {
  const needed = useMemo(() => neededBy(changes ?? []), [changes]);
  const list = { limit: 500 };
  const segments = useQuery({ ...query('GET /v3/edit/segments', list), enabled: needed.segments });
  const environments = useQuery({ ...query('GET /v3/edit/url_groups', list), enabled: needed.environments });
  const tags = useQuery({ ...query('GET /v3/edit/tags', list), enabled: needed.tags });
  const themes = useQuery({ ...query('GET /v3/edit/themes', list), enabled: needed.themes });
  const goals = useQuery({ ...query('GET /v3/edit/goals', list), enabled: needed.goals });
  const experiences = useQuery({ ...query('GET /v3/edit/experiences', list), enabled: needed.experiences });
  const names = useMemo(
    () =>
      new Map(
        [
          ...(segments.data?.segments ?? []),
          ...(environments.data?.url_groups ?? []),
          ...(tags.data?.tags ?? []),
          ...(themes.data?.themes ?? []),
          ...(goals.data?.goals ?? []),
          ...(experiences.data?.experiences ?? []),
        ].map(({ id, name }) => [id, name]),
      ),
    [segments.data, environments.data, tags.data, themes.data, goals.data, experiences.data],
  );
  return useCallback((id) => names.get(id), [names]);
}

function neededBy(changes: readonly Pick<Change, 'path' | 'object'>[]) {
  const names = changes.flatMap(({ object }) => Object.keys(object));
  const hasPath = (start: string) => changes.some(({ path }) => path.startsWith(start));
  return {
    segments: hasPath('segments.') || names.some((name) => /segment_ids?/.test(name)),
    environments: hasPath('url_groups.') || names.some((name) => name.startsWith('url_group_ids')),
    tags: names.some((name) => name.startsWith('tag_ids')),
    goals: names.some((name) => name.startsWith('goals')),
    themes: hasPath('themes.') || names.includes('theme_id'),
    experiences: names.some((name) => name.endsWith('campaign_id')),
  };
}
