import { describe, expect, it } from 'vitest';
import type { Step } from '../../../editor/document.ts';
import { buttonsFor, type Preset } from './buttons-for.ts';

/** The texts of the buttons after the kind of the question changes; undefined if the buttons stay. */
function textsAfter(texts: (string | null)[], next: Preset | 'none') {
  const step = { buttons: texts.map((text) => ({ text })) } as Pick<Step, 'buttons'>;
  return (buttonsFor(step, next).buttons as { text: string | null }[] | undefined)?.map(({ text }) => text);
}

describe('the buttons of a question that is asked in another way', () => {
  it.each<[(string | null)[], Preset | 'none', (string | null)[] | undefined]>([
    [[], 'survey_two', [null, null]],
    [['Yes'], 'survey_three', ['Yes', null, null]],
    [[null, null, null, null, null], 'survey_two', [null, null]],
    [['Yes', null, 'No', ' '], 'survey_two', ['Yes', 'No']],
    [[null, null], 'survey_input', []],
    [['Send', null], 'none', ['Send']],
    [['Yes', 'No', 'Perhaps'], 'survey_two', undefined],
    [['Yes', null], 'survey_two', undefined],
    [['Send'], 'survey_nps', undefined],
  ])('are %j for %s → %j', (texts, next, after) => {
    expect(textsAfter(texts, next)).toEqual(after);
  });
});
