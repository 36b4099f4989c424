import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Integration } from './property.ts';
import { type CustomSources, listSentKeys, mergeSources, readSources } from './sources.ts';
import { type Custom, type CustomPatch, mergeCustom } from './value.ts';

const key = fc.constantFrom('plan', 'seats', 'role', '__proto__');
const patches = fc.array(
  fc.tuple(
    fc.dictionary(key, fc.option(fc.oneof(fc.constantFrom(1, 2), fc.constant(['a'])))),
    fc.constantFrom<Integration>('api', 'browser', 'import'),
    fc.integer({ min: 0, max: 3 }),
  ),
  { maxLength: 12 },
);

describe('the sources of properties', () => {
  it('have for each key the time and the sender of its last change', () => {
    fc.assert(
      fc.property(patches, (list) => {
        let custom: Custom = {};
        let sources: CustomSources | null = null;
        const expected = new Map<string, { at: number; source: Integration }>();
        let at = 0;
        for (const [sent, source, later] of list) {
          const patch = sent as CustomPatch;
          at += later;
          const after = mergeCustom(custom, patch)?.custom ?? custom;
          const keys = listSentKeys(patch, { custom, pageKeys: [] }, { custom: after, pageKeys: [] });
          for (const one of Object.keys(patch)) {
            const same = JSON.stringify(Object.getOwnPropertyDescriptor(custom, one)?.value);
            if (patch[one] === null) expected.delete(one);
            else if (same !== JSON.stringify(patch[one])) expected.set(one, { at, source });
          }
          sources = mergeSources(sources, keys, after, [at, source]);
          custom = after;
          expect(readSources(sources)).toEqual(expected);
        }
      }),
    );
  });

  it('name the backend when it sends the value that a page has sent before', () => {
    const custom = { plan: 'pro' };
    const pages = { custom, pageKeys: ['plan'] };
    expect(listSentKeys({ plan: 'pro' }, pages, { custom, pageKeys: [] })).toEqual(['plan']);
    expect(listSentKeys({ plan: 'pro' }, pages, pages)).toEqual([]);
  });

  it('have one entry for all keys that came together', () => {
    const custom = { a: 1, b: 2, c: 3 };
    const sources = mergeSources(null, ['a', 'b'], custom, [1, 'api']);
    expect(sources).toEqual([[1, 'api', 'a', 'b']]);
    expect(mergeSources(sources, ['c'], custom, [1, 'api'])).toEqual([[1, 'api', 'a', 'b', 'c']]);
    expect(mergeSources(sources, ['a', 'b'], {}, [2, 'api'])).toBeNull();
  });
});
