import { describe, expect, it } from 'vitest';
import { labelsFor } from './labels.ts';

const languages = 'ar cs da de el es fi fr he hu id it ja ko nb nl no pl pt ro ru sv tr uk vi zh zh-TW'.split(' ');

describe('labels', () => {
  it.each(languages)('has all labels in %s, with both numbers in the progress label', (language) => {
    const labels = labelsFor(language) ?? {};
    expect(Object.keys(labels)).toHaveLength(18);
    expect(Object.values(labels).filter((label) => label.trim() === '')).toEqual([]);
    expect(labels.progress).toMatch(/\{0\}/);
    expect(labels.progress).toMatch(/\{1\}/);
    for (const label of [labels.few, labels.short]) expect(label).toMatch(/\{0\}/);
    expect(labels.faces?.split(',')).toHaveLength(5);
  });

  it('names the language that the labels are in', () => {
    expect(labelsFor('de-AT')?.language).toBe('de');
    expect(labelsFor('nn')?.language).toBe('nb');
    expect(labelsFor('zh-Hant-HK')?.language).toBe('zh-TW');
  });

  it('uses the labels of the language for a region without its own', () => {
    expect(labelsFor('de-AT')).toEqual(labelsFor('de'));
    expect(labelsFor('zh-Hant-HK')?.close).toBe('關閉');
    expect(labelsFor('zh-CN')?.close).toBe('关闭');
    expect(labelsFor('nn-NO')?.next).toBe('Neste');
  });

  it.each([null, 'en', 'en-GB', 'tlh', 'no such language'])(
    'returns no labels for %j, so the script uses English',
    (language) => {
      expect(labelsFor(language)).toBe(undefined);
    },
  );
});
