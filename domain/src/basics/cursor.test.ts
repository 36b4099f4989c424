import fc from 'fast-check';
import Type from 'typebox';
import { describe, expect, it } from 'vitest';
import { compileReader } from '../params/read.ts';
import { decodeCursor, encodeCursor, isCursor, orderedPageParameters } from './cursor.ts';
import { createIdSource, createTickIds, TICKS_PER_MS } from './id.ts';

const NOW = Date.UTC(2029, 3, 7, 12, 18);
const id = '5fb70dcbc39330000325a817';
const ids = fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: 24, maxLength: 24 });
const read = (before: unknown) => {
  const reading = compileReader<{ before: unknown }>(Type.Object(orderedPageParameters))({ before }, NOW);
  return 'problems' in reading ? reading.problems : reading.value.before;
};

describe('update cursor', () => {
  it('decodes the cursor that it encoded', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }), ids, (updated_tick, id) => {
        const cursor = encodeCursor({ updated_tick, id });
        expect(decodeCursor(cursor)).toEqual({ updated_tick, id });
        expect(isCursor(cursor)).toBe(true);
        expect(read(cursor)).toBe(cursor);
        expect(encodeURIComponent(cursor)).toBe(cursor);
      }),
    );
  });

  it('decodes an ID as the time of its creation', () => {
    const made = createIdSource(() => NOW)();
    expect(decodeCursor(made)).toEqual({ updated_tick: NOW * TICKS_PER_MS, id: made });
    const ofClock = createTickIds(NOW * TICKS_PER_MS + 7)();
    expect(decodeCursor(ofClock)).toEqual({ updated_tick: NOW * TICKS_PER_MS + 7, id: ofClock });
  });

  it('decodes old cursors with milliseconds', () => {
    expect(decodeCursor(`u${NOW.toString(36)}-${id}`)).toEqual({ updated_tick: NOW * TICKS_PER_MS, id });
  });

  it('reads a parameter as a cursor, an ID or a time, and rejects anything else', () => {
    expect(read(id)).toBe(id);
    expect(read('2029-04-07T12:18:00.000Z')).toBe(NOW);
    expect(read('1870258680')).toBe(NOW);
    const problem = [
      expect.stringMatching(/^`before` must be the `cursor.before` of the page before, an ID, or a time, not /),
    ];
    for (const wrong of [`u-${id}`, `u1-${id}0`, `u1-${id.slice(1)}`, `v1-${id}`, `t${'z'.repeat(12)}-${id}`, 'u1', {}])
      expect([wrong, read(wrong)]).toEqual([wrong, problem]);
  });
});
