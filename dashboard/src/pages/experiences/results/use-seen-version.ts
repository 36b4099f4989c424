import { useQuery } from '@tanstack/react-query';
import { pathOfKind } from '@usher/domain';
import { query } from '../../../api/queries.ts';
import type { ShownExperience } from '../../../editor/document.ts';

/**
 * The Experience with the steps and items of the version that people see, or saw last. Numbers beside the texts of a
 * draft would seem to be about those texts. Undefined while the version is loading; the draft if nothing was published.
 */
export function useSeenVersion(experience: ShownExperience): ShownExperience | undefined {
  const of = { kind: pathOfKind(experience.kind), id: experience.id };
  const versions = useQuery(query('GET /v3/edit/{kind}/{id}/versions', { ...of, limit: 100 }));
  const list = versions.data?.versions;
  const seen = list?.find(({ live }) => live) ?? list?.[0];
  const version = useQuery({
    ...query('GET /v3/edit/{kind}/{id}/versions/{version_id}', { ...of, version_id: seen?.id ?? '' }),
    enabled: seen !== undefined,
  });
  if (versions.isError || version.isError || (list && !seen)) return experience;
  if (!version.data) return undefined;
  // A version has the fields of the draft as they were published.
  const { steps, items } = version.data.version.document as Pick<ShownExperience, 'steps' | 'items'>;
  return { ...experience, steps: steps ?? [], ...(items && { items }) };
}
