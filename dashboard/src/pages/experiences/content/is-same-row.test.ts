import { expect, it } from 'vitest';
import { setPart } from '../../../editor/commands.ts';
import type { Document } from '../../../editor/document.ts';
import { memoryDrafts } from '../../../editor/drafts.ts';
import { EditorStore } from '../../../editor/editor-store.ts';
import { tourWith } from '../../../editor/test-document.ts';
import { isSameRow } from './is-same-row.ts';
import type { PartRowProps } from './part-row.tsx';

const actions = { current: undefined };
const rowOf = (document: Document, index: number, pictureOf?: string): PartRowProps => ({
  list: 'steps',
  part: document.steps[index] as PartRowProps['part'],
  index,
  count: document.steps.length,
  isFull: false,
  isReadOnly: false,
  isSelected: index === 0,
  hasProblem: false,
  isFailing: false,
  isDragged: false,
  dropPlace: undefined,
  pictureOf,
  document,
  actions,
});

it('renders the row of the step that somebody types in, and no other', () => {
  const before = tourWith('A', 'B', 'C');
  const deps = { key: 'key', drafts: memoryDrafts(), save: async () => ({ kind: 'unreachable' as const }) };
  const store = new EditorStore({ document: before, updated_at: 't' }, undefined, deps);
  store.change(setPart('b', { title: 'Typed' }));
  const after = store.getState().document;
  store.stop();
  const isSame = [0, 1, 2].map((index) => isSameRow(rowOf(before, index, 'id'), rowOf(after, index, 'id')));
  expect(isSame).toEqual([true, false, true]);
});

it('renders a row again if it moved, is selected, or its picture depends on what changed', () => {
  const tour = tourWith('A', 'B');
  const row = rowOf(tour, 0, 'id');
  for (const change of [{ isSelected: false }, { hasProblem: true }, { count: 3 }, { dropPlace: 'before' as const }])
    expect(isSameRow(row, { ...row, ...change })).toBe(false);
  // The style of an embed changes its look. The style of a tour says how it starts.
  const manual: Document = { ...tour, style: 'manual' };
  expect(isSameRow(row, { ...row, document: manual })).toBe(true);
  const embed: Document = { ...tour, kind: 'embed', style: 'banner' };
  const card: Document = { ...embed, style: 'card' };
  expect(isSameRow(rowOf(embed, 0, 'id'), { ...rowOf(embed, 0, 'id'), document: card })).toBe(false);
  expect(isSameRow(rowOf(embed, 0), { ...rowOf(embed, 0), document: card })).toBe(true);
});
