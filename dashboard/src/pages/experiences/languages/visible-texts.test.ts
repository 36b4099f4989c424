import { expect, it } from 'vitest';
import type { SourceText } from './texts.ts';
import { matchesFilter, type TextFilter } from './visible-texts.ts';

const source = (params: Partial<SourceText>): SourceText => ({
  ...{ model_id: 'step', field: 'title', key: 'title', is_markdown: false, max_length: 100 },
  ...{ is_shown: true, text: 'Hello', translations: {}, inherited: {} },
  ...params,
});
const filters: readonly TextFilter[] = ['all', 'missing', 'review'];
const listed = (params: Partial<SourceText>, languages = ['de']) =>
  filters.filter((filter) => matchesFilter(source(params), filter, languages, () => false)).join(' ');
const done = { text: 'Hallo', is_outdated: false, is_reviewed: true };

it.each([
  ['without a translation', {}, 'all missing'],
  ['with one', { translations: { de: done } }, 'all'],
  ['whose source has changed', { translations: { de: { ...done, is_outdated: true } } }, 'all review'],
  ['that came with a template', { translations: { de: { ...done, is_reviewed: false } } }, 'all review'],
  ['that has the text of its parent language', { inherited: { de: { code: 'd', text: 'Hallo' } } }, 'all'],
  ['that users never see', { is_shown: false }, 'all'],
  ['that is empty', { is_shown: false, text: '' }, ''],
] as const)('lists a text %s where it belongs', (_, params, filtered) => {
  expect(listed(params)).toBe(filtered);
});

it('lists a text that is missing in one of two languages', () => {
  expect(listed({ translations: { de: done } }, ['de', 'ar'])).toBe('all missing');
});
