import { useQuery } from '@tanstack/react-query';
import { type ExperienceKind, type PageSketch, pathOfKind } from '@usher/domain';
import { query } from '../../api/queries.ts';
import type { Document, Step } from '../document.ts';

export const sketchesOf = (kind: ExperienceKind, id: string) =>
  query('GET /v3/edit/{kind}/{id}/sketches', { kind: pathOfKind(kind), id });

/** The sketch of the page on which the element of a step was picked. Undefined if the step has another element now. */
export function useSketch(
  { kind }: Pick<Document, 'kind'>,
  id: string,
  step: Step | undefined,
): PageSketch | undefined {
  const { data } = useQuery({ ...sketchesOf(kind, id), retry: false });
  const kept = data?.sketches.find(({ step_id }) => step_id === step?.id);
  const isSame = kept?.elements.some((picked) => step?.elements.some((one) => keyOf(one) === keyOf(picked)));
  return isSame ? kept?.sketch : undefined;
}

const keyOf = ({ selector, text, shadow_selector }: Partial<Step['elements'][number]>) =>
  JSON.stringify([selector ?? null, text ?? null, shadow_selector ?? null]);
