import { expect, it } from 'vitest';
import { emailSnippet } from './email-snippet.ts';

const url = 'https://usher.example.com/s/KEY';
const step = { preset: null, question: null, title: 'A & B?', label_low: null, label_high: null };
const scoresIn = (html: string) => [...html.matchAll(/score=(\d+)"/g)].map(([, score]) => Number(score));

it('has a link for each score of the first scale', () => {
  const html = emailSnippet(url, [{ ...step, preset: 'survey_nps', label_low: '<No>', label_high: 'Yes' }], 'Answer');
  expect(scoresIn(html)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  expect(html).toContain('<p>A &#38; B?</p>');
  expect(html).toContain('0 = &#60;No&#62;, 10 = Yes');
  expect(scoresIn(emailSnippet(url, [step, { ...step, preset: 'survey_csat' }], 'Answer'))).toEqual([1, 2, 3, 4, 5]);
});

it('has the fallbacks of merge tags', () => {
  const title = 'How is it, {{first_name fallback="friend"}}?';
  expect(emailSnippet(url, [{ ...step, preset: 'survey_nps', title }], 'Answer')).toContain(
    '<p>How is it, friend?</p>',
  );
});

it('has one link if the first question is no scale', () => {
  const html = emailSnippet(
    url,
    [
      { ...step, preset: 'survey_input' },
      { ...step, preset: 'survey_nps' },
    ],
    'Answer',
  );
  expect(html).toBe(`<a href="${url}">Answer</a>`);
});
