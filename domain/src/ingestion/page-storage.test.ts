import { describe, expect, it } from 'vitest';
import { byteShares, measureProperties, measureRow } from './page-storage.ts';

describe('what a page stores', () => {
  it('is divided without a rest', () => {
    expect(Object.values(byteShares).reduce((sum, share) => sum + share, 0)).toBeCloseTo(1);
  });

  it('counts texts by their bytes, and more if they are in indexes', () => {
    const empty = measureRow('answer');
    const ascii = measureRow('answer', { plain: ['x'.repeat(100), null, undefined] }) - empty;
    expect(measureRow('answer', { plain: ['漢'.repeat(100)] }) - empty).toBe(3 * ascii);
    expect(measureRow('answer', { indexed: ['x'.repeat(100)] }) - empty).toBeGreaterThan(2 * ascii);
    expect(measureProperties('{"a":1}', null, '["a"]', 1)).toBeGreaterThan(60);
  });
});
