import { describe, expect, it } from 'vitest';
import { labelsFor } from './labels.ts';

const languages = 'ar cs da de el es fi fr he hu id it ja ko nb nl no pl pt ro ru sv tr uk vi zh zh-TW'.split(' ');

describe('the words of a page', () => {
  it.each(languages)('are all there in %s, and say which step of how many it is', (language) => {
    const labels = labelsFor(language) ?? {};
    expect(Object.keys(labels)).toHaveLength(14);
    expect(Object.values(labels).filter((label) => label.trim() === '')).toEqual([]);
    expect(labels.progress).toMatch(/\{0\}/);
    expect(labels.progress).toMatch(/\{1\}/);
    expect(labels.faces?.split(',')).toHaveLength(5);
  });

  it('are those of the language where there are none of its region', () => {
    expect(labelsFor('de-AT')).toEqual(labelsFor('de'));
    expect(labelsFor('zh-Hant-HK')?.close).toBe('關閉');
    expect(labelsFor('zh-CN')?.close).toBe('关闭');
    expect(labelsFor('nn-NO')?.next).toBe('Neste');
  });

  it.each([null, 'en', 'en-GB', 'tlh', 'no such language'])('are the English ones of the page for %j', (language) => {
    expect(labelsFor(language)).toBe(undefined);
  });
});
