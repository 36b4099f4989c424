import { describe, expect, it } from 'vitest';
import { parseMarkdown } from './markdown.ts';
import { countSigns, findCostProblem } from './text-cost.ts';

describe('text cost', () => {
  it('counts Markdown signs and line breaks', () => {
    expect(countSigns('A *plain* text, {{name}}.\nAnd [a link](/x) {here}')).toBe(6);
    expect(countSigns('')).toBe(0);
  });

  it('rejects a text with too many signs, and accepts a long plain text', () => {
    expect(findCostProblem('*_'.repeat(2000))).toBeUndefined();
    const costly = '*_'.repeat(2001);
    expect(findCostProblem(costly)).toMatch(/^It has 4002 line breaks and signs .* 4000 at most can be read$/);
    expect(parseMarkdown(costly)).toEqual({ problem: findCostProblem(costly) });
    const plain = 'Words, and more of them. '.repeat(800);
    expect(parseMarkdown(plain)).toEqual([['p', plain.trimEnd()]]);
  });
});
