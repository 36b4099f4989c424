import { describe, expect, it } from 'vitest';
import { toSlug } from './suggest-attribute.ts';

describe('toSlug', () => {
  it('writes words in lower case with hyphens', () => {
    expect(toSlug(' Save changes! ')).toBe('save-changes');
    expect(toSlug('Änderungen & Löschen')).toBe('anderungen-loschen');
    expect(toSlug('mainNav_item')).toBe('mainnav-item');
  });

  it('shortens after a whole word, and returns nothing for other scripts', () => {
    expect(toSlug('Everything that you need to know about')).toBe('everything-that-you-need-to-know');
    expect(toSlug('保存')).toBe('');
  });
});
