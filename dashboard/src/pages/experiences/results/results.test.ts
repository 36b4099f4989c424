import { findAnswerIndex } from '@usher/domain';
import { describe, expect, it } from 'vitest';
import type { ShownExperience } from '../../../editor/document.ts';
import { countDays, problemWith, readRange } from '../../../ranges/use-range.ts';
import { clicksOf, funnelOf, measuresOf, questionsOf, type Stats } from './describe-results.ts';

const totals = { displayed: 0, started: 10, completed: 4, exited: 0, snoozed: 0, goal: 0 };
const stats = (given: Partial<Stats>): Stats => ({
  ...{ from: '2029-03-09', until: '2029-04-07', totals, days: [], steps: [], answers: [], nps: null, questions: [] },
  ...{ before: { from: '2029-02-07', until: '2029-03-08', totals, days: [] }, marks: [], flow_from: null, scores: [] },
  ...given,
});
type Parts = Pick<ShownExperience, 'steps' | 'items'>;
const step = (id: string, fields: object = {}) =>
  ({ id, title: id, preset: null, buttons: [], dropdown_items: [], other_text: null, ...fields }) as never;

describe('the numbers of a kind', () => {
  it('are the usual ones, and others that are not 0', () => {
    expect(measuresOf({ kind: 'tour', goal: null }, totals)).toEqual(['started', 'completed', 'exited', 'snoozed']);
    expect(measuresOf({ kind: 'tour', goal: 'done' }, totals)).toContain('goal');
    expect(measuresOf({ kind: 'launcher', goal: null }, { ...totals, completed: 0 })).toEqual(['displayed', 'started']);
    expect(measuresOf({ kind: 'launcher', goal: null }, { ...totals, goal: 1 })).toContain('goal');
  });
});

describe('the funnel', () => {
  const seen = (id: string, seen: number) => ({ id, seen, flow: null, buttons: [] });

  it('says how many people saw each step, also a step that was removed', () => {
    const parts: Parts = { steps: [step('One'), step('Two', { title: '' })] };
    const rows = funnelOf(parts, stats({ steps: [seen('One', 10), seen('Two', 5), seen('Gone', 1)] }));
    expect(rows).toEqual([
      { id: 'One', label: '1. One', seen: 10, share: 1, flow: null },
      { id: 'Two', label: '2. Step without a title', seen: 5, share: 0.5, flow: null },
      { id: 'Gone', label: 'A removed step', seen: 1, share: 0.1, flow: null },
    ]);
  });

  it('has the order of what people see, and no step that they cannot see yet', () => {
    const parts: Parts = { steps: [step('Two'), step('One')] };
    const rows = funnelOf(parts, stats({ steps: [seen('One', 5), seen('Draft', 0), seen('Two', 10)] }));
    expect(rows.map(({ label }) => label)).toEqual(['1. Two', '2. One']);
  });

  it('has no shares of nobody', () => {
    expect(funnelOf({ steps: [step('One')] }, stats({ steps: [seen('One', 0)] }))).toMatchObject([
      { share: undefined },
    ]);
  });

  it('has no bar that is longer than a full one, if answers skip steps', () => {
    const steps = [step('One'), step('Why', { title: 'Why, {{first_name | fallback: "friend"}}?' }), step('Two')];
    const rows = funnelOf({ steps }, stats({ steps: [seen('One', 8), seen('Why', 2), seen('Two', 10)] }));
    expect(rows.map(({ label, share }) => [label, share])).toEqual([
      ['1. One', 0.8],
      ['2. Why, [first_name or friend]?', 0.2],
      ['3. Two', 1],
    ]);
  });
});

it('names the items of a launcher that were clicked, without its dividers', () => {
  const items = [
    { id: 'a', title: 'Docs', kind: 'url' },
    { id: 'b', title: null, kind: 'divider' },
  ] as never;
  const buttons = [
    { id: 'a', clicked: 2 },
    { id: 'b', clicked: 0 },
    { id: 'gone', clicked: 1 },
  ];
  const counted = stats({ steps: [{ id: 'launcher', seen: 4, flow: null, buttons }] });
  expect(clicksOf({ steps: [], items }, counted)).toEqual([
    { id: 'a', label: 'Docs', clicked: 2, share: 0.5 },
    { id: 'gone', label: 'A removed button', clicked: 1, share: 0.25 },
  ]);
});

describe('answers', () => {
  const answer = (step_id: string | null, count: number, given: { button_id?: string; value?: string } = {}) => ({
    ...{ step_id, count, button_id: given.button_id ?? null, value: given.value ?? null },
  });
  const asked = (fields: object, ...answers: Stats['answers']) =>
    questionsOf({ steps: [step('Q', fields)] }, stats({ answers }));

  it.each([
    ['survey_nps', 0, 10],
    ['survey_csat', 1, 5],
    ['survey_ces', 1, 7],
  ] as const)('of %s are all numbers from %i to %i, as the server accepts them', (preset, low, high) => {
    const [question] = asked({ preset }, answer('Q', 3, { value: String(high) }));
    expect(question?.answers).toHaveLength(high - low + 1);
    expect(question?.answers.at(-1)).toMatchObject({ label: String(high), count: 3 });
    const indexOf = (value: number) => findAnswerIndex(step('Q', { preset }), { value: String(value) } as never);
    expect([low - 1, low, high, high + 1].map(indexOf)).toEqual([null, 0, high - low, null]);
  });

  it('of a list have everything else together', () => {
    const fields = { preset: 'survey_dropdown', dropdown_items: ['Free', 'Pro'], other_text: 'Something else' };
    const given = [
      answer('Q', 2, { value: 'Pro' }),
      answer('Q', 1, { value: 'Mine' }),
      answer('Q', 1, { value: 'Own' }),
    ];
    const [question] = asked(fields, ...given);
    expect(question?.answers.map(({ label, count }) => [label, count])).toEqual([
      ['Free', 0],
      ['Pro', 2],
      ['Something else', 2],
    ]);
    expect(question?.written).toBe(2);
  });

  it('of buttons include removed buttons, and count texts', () => {
    const fields = { preset: 'survey_two', buttons: [{ id: 'a', text: 'Good' }] };
    const [question] = asked(
      fields,
      answer('Q', 2, { button_id: 'a' }),
      answer('Q', 1, { button_id: 'b' }),
      answer('Q', 5),
    );
    expect(question?.answers.map(({ label, count }) => [label, count])).toEqual([
      ['Good', 2],
      ['A removed answer', 1],
    ]);
    expect(question?.written).toBe(5);
  });

  it('to removed questions are not lost', () => {
    const [, removed] = asked({ preset: 'survey_nps' }, answer('other', 2, { value: '9' }));
    expect(removed).toMatchObject({ label: 'A removed question', answers: [{ label: '9', count: 2 }] });
  });
});

describe('the period', () => {
  const today = '2029-04-07';
  const read = (search: string) => readRange(new URLSearchParams(search), today);

  it('is read from the address', () => {
    expect(read('')).toEqual({ from: '2029-03-09', until: today, days: 30 });
    expect(read('days=7')).toEqual({ from: '2029-04-01', until: today, days: 7 });
    expect(read('from=2029-01-01&until=2029-01-31')).toEqual({
      from: '2029-01-01',
      until: '2029-01-31',
      days: undefined,
    });
  });

  it('is the usual one if the address makes no sense', () => {
    for (const wrong of ['days=8', 'days=x', 'from=2029-01-01', 'from=2029-02-30&until=2029-03-01', 'from=x&until=y'])
      expect([wrong, read(wrong).days]).toEqual([wrong, 30]);
  });

  it('ends today at the latest and has 366 days at most', () => {
    expect(problemWith('2029-04-01', '2029-04-08', today)).toBe('future');
    expect(problemWith('2029-04-03', '2029-04-02', today)).toBe('wrong');
    expect(problemWith('2028-04-06', today, today)).toBe('long');
    expect(problemWith('2028-04-07', today, today)).toBeUndefined();
    expect(problemWith('', today, today)).toBe('missing');
    expect(countDays({ from: '2028-04-07', until: today })).toBe(366);
  });
});
