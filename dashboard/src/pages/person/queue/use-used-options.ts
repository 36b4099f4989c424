import { useQuery } from '@tanstack/react-query';
import { listUsedOptions, pathOfKind } from '@usher/domain';
import { api } from '../../../api/api.ts';
import { keyOf } from '../../../api/nouns.ts';
import type { ChosenExperience } from '../../../experiences/experience-field.tsx';

/** The names of the values that the live texts of an Experience use. Undefined while they load. */
export function useUsedOptions(experience: ChosenExperience | null): string[] | undefined {
  const { data } = useQuery({
    queryKey: keyOf('experiences', 'used options', experience?.id),
    queryFn: () => loadUsedOptions(experience as ChosenExperience),
    enabled: experience !== null,
  });
  return experience === null ? [] : data;
}

async function loadUsedOptions({ id, kind }: ChosenExperience): Promise<string[]> {
  const of = { kind: pathOfKind(kind), id };
  const { versions } = await api('GET /v3/edit/{kind}/{id}/versions', { ...of, limit: 100 });
  const seen = versions.find(({ live }) => live) ?? versions[0];
  if (!seen) return [];
  const { version } = await api('GET /v3/edit/{kind}/{id}/versions/{version_id}', { ...of, version_id: seen.id });
  return listUsedOptions(version);
}
