import { MAX_PARTS } from '@usher/domain/fields';
import { type Button, blank, type Document, type ListItem, newPartId, type Part, type Step } from './document.ts';

/*
 * Everything that people do to a document. A command gets a draft of the document (immer), so it may change the draft
 * in place.
 */

export interface Command {
  apply(draft: Document): void;
  /** Commands with the same key that follow each other quickly are undone together. */
  key?: string;
}

/** `steps`, `items`, or the ID of the step whose buttons they are. */
export type PartList = 'steps' | 'items' | (string & {});

type Values = Record<string, unknown>;

function nameOf(list: PartList): 'steps' | 'items' | 'buttons' {
  if (list === 'steps') return 'steps';
  return list === 'items' ? 'items' : 'buttons';
}

function listOf(draft: Document, list: PartList): Part[] | undefined {
  if (list === 'steps') return draft.steps;
  if (list === 'items') return draft.items;
  return draft.steps.find(({ id }) => id === list)?.buttons;
}

function findPart(draft: Document, id: string): Part | undefined {
  const places: Part[][] = [draft.steps, ...draft.steps.map((step) => step.buttons), draft.items ?? []];
  for (const parts of places) {
    const found = parts.find((part) => part.id === id);
    if (found) return found;
  }
  return undefined;
}

/** Sets fields of the Experience itself. */
export function setFields(values: Partial<Omit<Document, 'kind' | 'steps' | 'items'>>): Command {
  return { apply: (draft) => void Object.assign(draft, values), key: Object.keys(values).join() };
}

/** Sets fields of a step, a button or an item. */
export function setPart(id: string, values: Partial<Step> | Partial<Button> | Partial<ListItem>): Command {
  return {
    apply: (draft) => {
      const part = findPart(draft, id);
      if (part) Object.assign(part, values);
    },
    key: `${id} ${Object.keys(values).join()}`,
  };
}

/** The place of a new part: after another one, or at the end. */
interface Place {
  after?: string | undefined;
}

/** Adds a part with these fields. Returns its ID too, to select it. */
export function addPart(list: PartList, values: Values = {}, { after }: Place = {}): Command & { id: string } {
  const id = newPartId();
  const apply = (draft: Document) => {
    const parts = listOf(draft, list);
    if (!parts || parts.length >= maxOf(list)) return;
    const name = nameOf(list);
    const part = { ...blank[name], ...(name === 'steps' && { buttons: [] }), ...values, id, position: 0 };
    insertAfter(parts, part as unknown as Part, after);
  };
  return { apply, id };
}

export function maxOf(list: PartList): number {
  return MAX_PARTS[nameOf(list)];
}

/** Adds a copy of a part after it. All IDs of the copy are new. */
export function duplicatePart(list: PartList, id: string): Command & { id: string } {
  const copyId = newPartId();
  const apply = (draft: Document) => {
    const parts = listOf(draft, list);
    const part = parts?.find((one) => one.id === id);
    if (!parts || !part || parts.length >= maxOf(list)) return;
    insertAfter(parts, 'buttons' in part ? copyStep(part, copyId) : { ...part, id: copyId }, id);
  };
  return { apply, id: copyId };
}

/** Its rules about its own answer are about the answer to the copy, which can be a button. */
function copyStep(step: Step, id: string): Step {
  const ids = new Map(step.buttons.map((button) => [button.id, newPartId()]));
  const rename = (value: string) => ids.get(value) ?? value;
  return {
    ...step,
    id,
    buttons: step.buttons.map((button) => ({ ...button, id: rename(button.id) })),
    next: step.next.map((rule) => {
      const { when } = rule;
      if (!when || !('step_id' in when) || when.step_id !== step.id) return rule;
      const { value } = when;
      const renamed = Array.isArray(value) ? value.map(rename) : value === null ? null : rename(value);
      return { ...rule, when: { ...when, step_id: id, value: renamed } };
    }),
  };
}

function insertAfter(parts: Part[], part: Part, after: string | undefined): void {
  const index = after === undefined ? -1 : parts.findIndex(({ id }) => id === after);
  parts.splice(index < 0 ? parts.length : index + 1, 0, part);
}

/** Moves a part to a place in its list. */
export function movePart(list: PartList, id: string, to: number): Command {
  return {
    apply: (draft) => {
      const parts = listOf(draft, list) ?? [];
      const from = parts.findIndex((part) => part.id === id);
      if (from < 0) return;
      const [part] = parts.splice(from, 1);
      parts.splice(Math.max(0, Math.min(to, parts.length)), 0, part as Part);
    },
    key: `${list} order`,
  };
}

export function removePart(list: PartList, id: string): Command {
  return {
    apply: (draft) => {
      const parts = listOf(draft, list) ?? [];
      const index = parts.findIndex((part) => part.id === id);
      if (index >= 0) parts.splice(index, 1);
    },
  };
}
