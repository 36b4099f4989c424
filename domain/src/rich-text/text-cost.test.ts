import { describe, expect, it } from 'vitest';
import { parseMarkdown } from './markdown.ts';
import { countSigns, findCostProblem } from './text-cost.ts';

describe('the cost of a text', () => {
  it('is the number of signs that may mean something, and of lines', () => {
    expect(countSigns('A *plain* text, {{name}}.\nAnd [a link](/x) {here}')).toBe(6);
    expect(countSigns('')).toBe(0);
  });

  it('is limited: a text with more signs than can be read quickly is a problem, a long plain one is none', () => {
    expect(findCostProblem('*_'.repeat(2000))).toBeUndefined();
    const costly = '*_'.repeat(2001);
    expect(findCostProblem(costly)).toMatch(/^It has 4002 line breaks and signs .* 4000 at most can be read$/);
    expect(parseMarkdown(costly)).toEqual({ problem: findCostProblem(costly) });
    const plain = 'Words, and more of them. '.repeat(800);
    expect(parseMarkdown(plain)).toEqual([['p', plain.trimEnd()]]);
  });
});
