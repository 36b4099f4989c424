import { netChanges } from '@usher/domain/sentences';
import type { Change } from './change.ts';
import { sentencesOf } from './sentences.ts';

export const ann = { id: 'a'.repeat(24), name: 'Ann', email: 'ann@acme.test' };
export const kim = { id: 'b'.repeat(24), name: 'Kim', email: 'kim@acme.test' };
const START = Date.parse('2029-04-07T12:00:00.000Z');
let count = 0;

export interface Given extends Partial<Omit<Change, 'created_at'>> {
  minute?: number;
}

export function change({ minute = 0, ...given }: Given): Change {
  const created_at = new Date(START + minute * 60_000).toISOString();
  return {
    ...{ id: String(++count).padStart(24, '0'), created_at, updated_at: created_at, experience_id: 'e'.repeat(24) },
    ...{ model_id: 'e'.repeat(24), model_type: 'Campaign', kind: 'update', path: 'model', object: {}, options: {} },
    user: ann,
    ...given,
  };
}

const names = new Map([['5'.repeat(24), 'Admins']]);
export const nameOf = (id: string) => names.get(id);
/** The net changes of Changes that were made in this order. */
export const say = (changes: Change[], kind = 'tour') => sentencesOf(netChanges(changes.toReversed()), kind, nameOf);
export const saidOf = (changes: Change[], kind = 'tour') => say(changes, kind).map(({ text }) => text);
export const step = (index: number, object: object, more: Given = {}) =>
  change({ path: `steps.${index}`, model_id: `step ${index}`, model_type: 'Step', object: { ...object }, ...more });
