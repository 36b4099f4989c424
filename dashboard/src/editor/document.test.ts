import { emptyDocument } from '@usher/domain';
import { produce } from 'immer';
import { describe, expect, it } from 'vitest';
import { changedParams } from './changed-params.ts';
import type { Command } from './commands.ts';
import { addPart, duplicatePart, movePart, removePart, setFields, setPart } from './commands.ts';
import { applyDiff, diffDocuments } from './diff.ts';
import { blank, type Document, documentOf, newPartId, type ShownExperience } from './document.ts';
import { buttonWith, idsOf, titlesOf, tourWith } from './test-document.ts';

const run = (document: Document, command: Command) => produce(document, (draft) => command.apply(draft));

describe('documentOf', () => {
  const shown = (document: object) =>
    ({
      id: 'x',
      created_at: '',
      updated_at: '',
      state: 'draft',
      url_groups: [],
      dashboard_url: '',
      ...document,
    }) as unknown as ShownExperience;

  it('keeps the fields of the document only', () => {
    expect(documentOf(shown(tourWith('A', 'B')))).toEqual(tourWith('A', 'B'));
    expect(documentOf(shown(emptyDocument('launcher')))).toEqual(emptyDocument('launcher'));
  });

  it('completes a document that an older version has stored', () => {
    const { goal: _, ...old } = tourWith('A');
    const steps = [{ id: 'a', title: 'A', buttons: [{ id: 'b', text: 'Next' }] }];
    const document = documentOf(shown({ ...old, steps }));
    expect(document.goal).toBeNull();
    expect(document.steps[0]).toMatchObject({ title: 'A', position: 0, elements: [] });
    expect(document.steps[0]?.buttons[0]).toMatchObject({ text: 'Next', position: 0, additional_actions: [] });
  });
});

it('makes IDs that the server accepts', () => {
  const ids = [newPartId(), newPartId(), newPartId(0)];
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{24}$/);
  expect(new Set(ids).size).toBe(3);
});

describe('commands', () => {
  it('set fields of the Experience, of steps and of buttons', () => {
    const tour = tourWith({ title: 'A', buttons: [buttonWith('1', 'Go')] });
    expect(run(tour, setFields({ name: 'New' })).name).toBe('New');
    expect(titlesOf(run(tour, setPart('a', { title: 'B' })))).toEqual(['B']);
    expect(run(tour, setPart('1', { text: 'Next' })).steps[0]?.buttons[0]?.text).toBe('Next');
  });

  it('copy a step with its rules about its own answer', () => {
    const next = [{ when: { step_id: 'a', op: 'eq' as const, value: '1' }, go: 'c' }];
    const survey = tourWith({ title: 'A', buttons: [buttonWith('1', 'Yes')], next }, 'B', 'C');
    const { steps } = run(survey, duplicatePart('steps', 'a'));
    const copy = steps[1];
    expect(copy?.next).toEqual([{ when: { step_id: copy?.id, op: 'eq', value: copy?.buttons[0]?.id }, go: 'c' }]);
    expect(steps[0]?.next).toEqual(next);
  });

  it('add, copy, move and remove parts', () => {
    const tour = tourWith('A', { title: 'B', buttons: [buttonWith('1', 'Go')] }, 'C');
    const added = addPart('steps', { title: 'New' }, { after: 'a' });
    expect(titlesOf(run(tour, added))).toEqual(['A', 'New', 'B', 'C']);
    expect(titlesOf(run(tour, movePart('steps', 'a', 2)))).toEqual(['B', 'C', 'A']);
    expect(titlesOf(run(tour, removePart('steps', 'b')))).toEqual(['A', 'C']);
    const copied = run(tour, duplicatePart('steps', 'b'));
    expect(titlesOf(copied)).toEqual(['A', 'B', 'B', 'C']);
    expect(copied.steps[2]?.buttons[0]).toMatchObject({ text: 'Go' });
    expect(copied.steps[2]?.buttons[0]?.id).not.toBe('1');
    expect(run(tour, addPart('b', { text: 'Two' })).steps[1]?.buttons.map(({ text }) => text)).toEqual(['Go', 'Two']);
  });

  it('add nothing beyond the limit of the server', () => {
    const full = tourWith(...Array.from({ length: 200 }, (_, index) => ({ id: String(index) })));
    expect(run(full, addPart('steps')).steps).toHaveLength(200);
    expect(run(full, duplicatePart('steps', '5')).steps).toHaveLength(200);
  });
});

describe('a diff', () => {
  const from = tourWith({ title: 'A', buttons: [buttonWith('1', 'Go')] }, 'B', 'C');
  const changes: [string, Command][] = [
    ['a title', setPart('b', { title: 'X' })],
    ['a button', setPart('1', { text: 'X' })],
    ['a new step', addPart('steps', { title: 'X' }, { after: 'a' })],
    ['a new button', addPart('a', { text: 'X' })],
    ['another order', movePart('steps', 'a', 2)],
    ['a removed step', removePart('steps', 'a')],
    ['the name', setFields({ name: 'X' })],
  ];
  it.each(changes)('takes the document there and back: %s', (_, command) => {
    const to = applyDiff(from, diffDocuments(from, run(from, command)));
    expect(to).not.toEqual(from);
    expect(applyDiff(to, diffDocuments(to, from))).toEqual(from);
  });
});

describe('the params of a save', () => {
  it('hold only the fields that differ, and the IDs of all parts', () => {
    const from = tourWith({ title: 'A', buttons: [buttonWith('1', 'Go')] }, 'B');
    expect(changedParams(from, from)).toEqual({});
    expect(changedParams(from, run(from, setFields({ goal: 'x' })))).toEqual({ goal: 'x' });
    expect(changedParams(from, run(from, setPart('b', { title: 'X' })))).toEqual({
      steps: [{ id: 'a' }, { id: 'b', title: 'X' }],
    });
    expect(changedParams(from, run(from, setPart('1', { text: 'X' })))).toEqual({
      steps: [{ id: 'a', buttons: [{ id: '1', text: 'X' }] }, { id: 'b' }],
    });
    expect(changedParams(from, run(from, movePart('steps', 'a', 1)))).toEqual({ steps: [{ id: 'b' }, { id: 'a' }] });
  });

  it('hold all fields of a new part', () => {
    const command = addPart('steps', { title: 'New' });
    const { steps } = changedParams(tourWith(), run(tourWith(), command)) as { steps: object[] };
    expect(steps).toEqual([{ ...blank.steps, id: command.id, title: 'New' }]);
  });
});

it('names parts by their ID, so that a diff applies after somebody has moved them', () => {
  const from = tourWith('A', 'B', 'C');
  const diff = diffDocuments(from, run(from, setPart('b', { title: 'X' })));
  const moved = run(from, movePart('steps', 'b', 0));
  expect(titlesOf(applyDiff(moved, diff))).toEqual(['X', 'A', 'C']);
  expect(idsOf(applyDiff(run(from, removePart('steps', 'b')), diff))).toBe('ac');
});
