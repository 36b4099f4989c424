import { describe, expect, it } from 'vitest';
import { tourWith } from '../../../editor/test-document.ts';
import { newOption, newOptionId, renameOption } from './change-question.ts';

describe('the ID of an answer', () => {
  it.each([
    ['Very disappointed', 'very_disappointed'],
    ['Größe & Preis!', 'grosse_preis'],
    ['Other', 'other_2'],
    ['Yes', 'yes_2'],
    ['نعم', 'answer_2'],
    [`${'long '.repeat(20)}`, 'long_long_long_long_long_long'],
  ])('of %s is %s', (text, id) => {
    expect(newOptionId(text, [{ id: 'yes', text: 'Yes' }])).toBe(id);
  });

  it('says the place while there is no text', () => {
    const first = newOption([]);
    expect([first, newOption([first])]).toEqual([
      { id: 'answer_1', text: '' },
      { id: 'answer_2', text: '' },
    ]);
  });
});

it('renames an answer in its question and in the rules about it', () => {
  const about = (step_id: string) => ({ when: { step_id, op: 'in' as const, value: ['yes', 'no'] }, go: 'end' });
  const question = { kind: 'single', options: [{ id: 'yes', text: 'Yes' }] };
  const survey = tourWith({ question: question as never, next: [about('a')] }, { next: [about('a'), about('x')] });
  renameOption('a', 'yes', 'sure').apply(survey);
  expect(survey.steps[0]?.question?.options).toEqual([{ id: 'sure', text: 'Yes' }]);
  const values = survey.steps.flatMap(({ next }) => next.map(({ when }) => when && 'value' in when && when.value));
  expect(values).toEqual([
    ['sure', 'no'],
    ['sure', 'no'],
    ['yes', 'no'],
  ]);
});
