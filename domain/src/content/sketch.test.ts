import { expect, it } from 'vitest';
import type { Document } from './experience.ts';
import { sketchOf } from './sketch.ts';

const step = {
  ...{ title: ' Hello ', body: null, preset: null, placement: 'left', backdrop: true, buttons: [{}, {}] },
  ...{ position_type: 'relative_to_screen', screen_position: 'top_right' },
};
const document = (kind: string, steps: object[], own: object = {}) => ({ kind, steps, ...own }) as unknown as Document;

it('describes the first step: its place, title, question and buttons', () => {
  expect(sketchOf(document('tour', [step, step]))).toEqual({
    ...{ place: 'top_right', side: 'left', has_backdrop: true, title_length: 5, has_text: false },
    ...{ question: null, buttons: 2, parts: 2, theme_id: null },
  });
  const question = { ...step, preset: 'survey_nps', body: 'Why?', position_type: 'snap_to_trigger' };
  expect(sketchOf(document('survey', [question]))).toMatchObject({
    ...{ place: 'element', question: 'survey_nps', has_text: true },
  });
});

it('knows the place of kinds that have only one, and of what has no steps yet', () => {
  expect(sketchOf(document('tooltip', [step])).place).toBe('element');
  expect(sketchOf(document('embed', [step])).place).toBe('inline');
  expect(sketchOf(document('tour', []))).toMatchObject({ place: 'center', title_length: 0, parts: 0 });
});

it('describes a launcher by its own place and its items', () => {
  const own = { screen_position: 'bottom_left', title: 'Help', items: [{}, {}, {}] };
  expect(sketchOf(document('launcher', [], own))).toMatchObject({ place: 'bottom_left', title_length: 4, parts: 3 });
});
