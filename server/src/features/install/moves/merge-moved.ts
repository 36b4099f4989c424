import { type Content, type Document, importedStepFields, type Step } from '@usher/domain';
import { isSameDocument, isSameJson } from './moved-experiences.ts';

/** What the picker sets in a step. */
const placeFields = ['elements', 'position_type', ...importedStepFields] as const;

export interface Merged {
  document: Document;
  /** Whether steps got their place here, which stays. */
  keepsPlaces: boolean;
}

/**
 * The document of an Experience that has changed in the other service. Without an edit here, it is the one from there. If all edits here
 * gave steps their place, or published it, the places stay and everything else comes. Undefined if that cannot be done exactly.
 * @param before what the last import has written
 */
export function mergeMoved(before: Content, here: Content, there: Document): Merged | undefined {
  if (!isSameJson(before.translations, here.translations)) return undefined;
  if (isSameDocument(before.document, here.document)) return { document: there, keepsPlaces: false };
  const placed = findPlaced(before.document, here.document);
  if (!placed) return undefined;
  const withPlaces = { ...before.document, steps: applyPlaces(before.document.steps, placed) };
  const { published_at } = here.document;
  if (!isSameDocument({ ...withPlaces, published_at }, here.document)) return undefined;
  // The step must be there still, without another place.
  const isSamePlace = [...placed.keys()].every((id) => {
    const [was, is] = [before.document, there].map(({ steps }) => steps.find((step) => step.id === id));
    return was && is && isSameJson(placeOf(was), placeOf(is));
  });
  if (!isSamePlace) return undefined;
  return { document: { ...there, steps: applyPlaces(there.steps, placed) }, keepsPlaces: true };
}

type Place = Pick<Step, (typeof placeFields)[number]>;

function placeOf(step: Step): Place {
  return Object.fromEntries(placeFields.map((name) => [name, step[name] ?? null])) as unknown as Place;
}

/** The steps that have another place than they came with. Undefined if other steps than the imported ones are here. */
function findPlaced(before: Document, here: Document): Map<string, Place> | undefined {
  const came = new Map(before.steps.map((step) => [step.id, step]));
  const placed = new Map<string, Place>();
  for (const step of here.steps) {
    const was = came.get(step.id);
    if (!was) return undefined;
    if (!isSameJson(placeOf(was), placeOf(step))) placed.set(step.id, placeOf(step));
  }
  return placed;
}

function applyPlaces(steps: readonly Step[], placed: ReadonlyMap<string, Place>): Step[] {
  return steps.map((step) => ({ ...step, ...placed.get(step.id) }));
}
