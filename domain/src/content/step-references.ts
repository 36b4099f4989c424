import { isRecord } from '../basics/input.ts';

/*
 * Steps name other steps in their rules, and in texts with `{{answer "…"}}`. In a draft these are IDs. In a request they can also be
 * places in the list, because a new step has no ID yet; in a file they are keys.
 */

type MapReference = (reference: string) => string | undefined;

/** The step with other references. A reference that the map does not know stays. */
export function mapStepReferences<S extends object>(step: S, map: MapReference): S {
  const { next, ...others } = step as Record<string, unknown>;
  const mapped = mapTexts(others, map) as Record<string, unknown>;
  return { ...step, ...mapped, ...(Array.isArray(next) && { next: next.map((rule) => mapRule(rule, map)) }) };
}

function mapRule(rule: unknown, map: MapReference): unknown {
  if (!isRecord(rule)) return rule;
  const { when, go } = rule;
  const replace = (value: unknown) => (typeof value === 'string' ? (map(value) ?? value) : value);
  return {
    ...rule,
    ...(isRecord(when) && when.step_id !== undefined && { when: { ...when, step_id: replace(when.step_id) } }),
    ...(go !== undefined && { go: replace(go) }),
  };
}

function mapTexts(value: unknown, map: MapReference): unknown {
  if (typeof value === 'string') return mapAnswerTags(value, map);
  if (Array.isArray(value)) return value.map((one) => mapTexts(one, map));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, mapTexts(one, map)]));
}

const tag = /\{\{[^{}]*\}\}/g;
const answer = /\b(answer\s*)(["'])(.*?)\2/g;

/** The text with other references in its `{{answer "…"}}`. */
export function mapAnswerTags(text: string, map: MapReference): string {
  if (!text.includes('answer')) return text;
  return text.replace(tag, (whole) =>
    whole.replace(
      answer,
      (same, word: string, quote: string, reference: string) =>
        `${mapped(map(reference), (to) => `${word}${quote}${to}${quote}`) ?? same}`,
    ),
  );
}

function mapped(value: string | undefined, write: (value: string) => string): string | undefined {
  return value === undefined ? undefined : write(value);
}

/** Replaces places in the list of steps by the IDs of these steps. */
export function resolvePlaces<S extends { id: string }>(steps: readonly S[]): S[] {
  const idAt = (place: string) => (/^\d{1,3}$/.test(place) ? steps[Number(place)]?.id : undefined);
  return steps.map((step) => mapStepReferences(step, idAt));
}

/** Replaces the IDs of steps by their places in the list, for steps that will get new IDs. */
export function toPlaces<S extends { id?: string }>(steps: readonly S[], isNew: (id: string) => boolean): S[] {
  const places = new Map(steps.flatMap(({ id }, at) => (id !== undefined && isNew(id) ? [[id, String(at)]] : [])));
  return places.size === 0 ? [...steps] : steps.map((step) => mapStepReferences(step, (id) => places.get(id)));
}
