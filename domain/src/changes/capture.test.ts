import { describe, expect, it } from 'vitest';
import { type Document, emptyDocument } from '../content/experience.ts';
import type { ExperienceKind } from '../kinds/kinds.ts';
import { changesAppearance, listAppearances, mapAppearanceOwners, presentAppearance } from './capture.ts';
import type { ModelChange } from './change.ts';

const id = 'e'.repeat(24);
const made = (kind: ExperienceKind, input: object) => ({ ...emptyDocument(kind), ...input }) as Document;
const step = (stepId: string, input: object = {}) => ({
  id: stepId,
  position: 0,
  title: 'Hello',
  buttons: [],
  ...input,
});
const button = (buttonId: string, input: object = {}) => ({ id: buttonId, position: 0, text: 'Next', ...input });

describe('an appearance', () => {
  it('lists the appearance of each step, or of the whole launcher', () => {
    expect([...listAppearances(id, made('tour', { steps: [step('s1'), step('s2')] })).keys()]).toEqual(['s1', 's2']);
    expect([...listAppearances(id, made('launcher', { items: [{ id: 'i1' }] })).keys()]).toEqual([id]);
  });

  it('contains only visible fields, and no targeting', () => {
    const before = made('tour', { steps: [step('s1', { buttons: [button('b1')] })] });
    const unseen = { snooze_hours: 3, elements: [{ selector: '#a' }], step_trigger: 'element_match' };
    const same = made('tour', {
      goal: 'done',
      style: 'manual',
      steps: [step('s1', { ...unseen, buttons: [button('b1', { action_url: '/x' })] })],
    });
    expect(listAppearances(id, same)).toEqual(listAppearances(id, before));
    for (const seen of [{ title: 'New' }, { backdrop: true }, { buttons: [button('b1', { text: 'Go' })] }]) {
      const other = made('tour', { steps: [step('s1', { buttons: [button('b1')], ...seen })] });
      expect(listAppearances(id, other)).not.toEqual(listAppearances(id, before));
    }
  });

  it('marks the primary button, and differs when another one becomes it', () => {
    const look = (...actions: string[]) => {
      const buttons = actions.map((tour_action, at) => button(`b${at}`, { tour_action }));
      return listAppearances(id, made('tour', { steps: [step('s1', { buttons })] })).get('s1');
    };
    expect(look('previous', 'next')?.buttons?.map(({ is_primary }) => is_primary)).toEqual([undefined, true]);
    expect(look('exit', 'previous')?.buttons?.map(({ is_primary }) => is_primary)).toEqual([true, undefined]);
  });

  it('contains the style of an embed', () => {
    const look = (style: string) => listAppearances(id, made('embed', { style, steps: [step('s1')] })).get('s1');
    expect(look('card')).toMatchObject({ style: 'card' });
    expect(look('banner')).not.toEqual(look('card'));
  });

  it('maps buttons to their step, and the Experience to its first step', () => {
    const tour = made('tour', { steps: [step('s1', { buttons: [button('b1')] }), step('s2')] });
    expect(Object.fromEntries(mapAppearanceOwners(id, tour))).toEqual({ [id]: 's1', s1: 's1', b1: 's1', s2: 's2' });
    const launcher = made('launcher', { items: [{ id: 'i1' }] });
    expect(Object.fromEntries(mapAppearanceOwners(id, launcher))).toEqual({ [id]: id, i1: id });
  });

  it('presents every key in a fixed order', () => {
    const look = listAppearances(id, made('tour', { steps: [step('s1')] })).get('s1');
    if (!look) throw new Error('there is a look');
    const shuffled = { ...look, fields: Object.fromEntries(Object.entries(look.fields).reverse()) };
    expect(JSON.stringify(presentAppearance(shuffled))).toBe(JSON.stringify(presentAppearance(look)));
    expect(Object.keys(presentAppearance(look))).toEqual([
      'kind',
      'style',
      'theme_id',
      'theme',
      'fields',
      'buttons',
      'items',
    ]);
  });
});

describe('changesAppearance', () => {
  const change = (model_type: ModelChange['model_type'], ...names: string[]): ModelChange => ({
    op: 'update',
    model_id: id,
    model_type,
    path: 'model',
    object: Object.fromEntries(names.map((name) => [name, [null, 'x']])),
  });

  it.each([
    change('Step', 'snooze_hours', 'title'),
    change('Button', 'text'),
    change('Button', 'position'),
    change('ListItem', 'hide'),
    change('List', 'description'),
    change('Campaign', 'style'),
    { ...change('Step'), op: 'create' as const },
    { ...change('Button'), op: 'destroy' as const },
  ])('returns true for a visible change: $op $model_type $object', (one) => {
    expect(changesAppearance(one)).toBe(true);
  });

  it.each([
    change('Step', 'elements', 'position'),
    change('Button', 'action_url'),
    change('ListItem', 'url'),
    change('List', 'name', 'goal'),
    change('Campaign', 'name'),
    change('Tooltip', 'published_at'),
    { ...change('Step', 'title'), path: 'translations.de.steps.0' },
  ])('returns false for an invisible change: $model_type $object $path', (one) => {
    expect(changesAppearance(one)).toBe(false);
  });
});
