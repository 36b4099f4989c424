import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { randomRuns } from '../../test/random-runs.ts';
import {
  CreateDelivery,
  compileReader,
  type DeliveryPosition,
  findDeliveryProblems,
  parseTarget,
  placeDelivery,
  UpdateDelivery,
} from '../index.ts';

const now = Date.UTC(2029, 3, 7);
const day = 24 * 60 * 60_000;
const id = 'a'.repeat(24);

describe('placeDelivery', () => {
  const place = (list: string[], input: Partial<Parameters<typeof placeDelivery>[1]> = {}) =>
    placeDelivery(list, { id: 'new', globalLimit: 3, atLimit: 'error', ...input });
  const listOf = (list: string[], input: Parameters<typeof place>[1] = {}) => {
    const placed = place(list, input);
    return 'list' in placed ? placed.list : placed.status;
  };

  it('puts a Delivery first without a position', () => {
    expect(listOf([])).toEqual(['new']);
    expect(listOf(['a'])).toEqual(['new', 'a']);
    expect(listOf(['a'], { position: 'last' })).toEqual(['a', 'new']);
  });

  it('puts a Delivery at an index, or at the end for an index beyond it', () => {
    const list = ['a', 'b'];
    expect(listOf(list, { position: 0 })).toEqual(['new', 'a', 'b']);
    expect(listOf(list, { position: 1 })).toEqual(['a', 'new', 'b']);
    expect(listOf(list, { position: 2 })).toEqual(['a', 'b', 'new']);
    expect(listOf(list, { position: 1000 })).toEqual(['a', 'b', 'new']);
  });

  it('requires a position when two are pending, unless the limit is one', () => {
    expect(listOf(['a', 'b'])).toBe(422);
    expect(listOf(['a', 'b', 'c'], { atLimit: 'drop' })).toBe(422);
    expect(listOf(['a', 'b'], { limit: 2, atLimit: 'drop' })).toBe(422);
    expect(listOf(['a', 'b'], { limit: 1, atLimit: 'drop' })).toEqual(['new']);
    expect(listOf(['a', 'b'], { globalLimit: 1, atLimit: 'drop' })).toEqual(['new']);
    expect(listOf(['a', 'b'], { limit: 1 })).toBe(409);
  });

  it('rejects a Delivery at the limit, which the request can only lower', () => {
    expect(listOf(['a', 'b', 'c'], { position: 'first' })).toBe(409);
    expect(listOf(['a', 'b'], { position: 'first', limit: 2 })).toBe(409);
    expect(listOf(['a', 'b', 'c'], { position: 'first', globalLimit: 4 })).toEqual(['new', 'a', 'b', 'c']);
    for (const limit of [0, -1, 4, 1.5, Number.NaN, 1e308])
      expect([limit, listOf([], { limit })]).toEqual([limit, 422]);
  });

  it('drops Deliveries from the end to stay within the limit', () => {
    expect(place(['a', 'b', 'c'], { position: 'first', atLimit: 'drop' })).toEqual({
      list: ['new', 'a', 'b'],
      dropped: ['c'],
    });
    expect(place(['a', 'b', 'c'], { position: 1, limit: 2, atLimit: 'drop' })).toEqual({
      list: ['a', 'new'],
      dropped: ['b', 'c'],
    });
  });

  it('never drops the new Delivery', () => {
    const atLimit = 'drop';
    for (const position of ['last', 3, 99] as const) expect(listOf(['a', 'b', 'c'], { position, atLimit })).toBe(422);
    expect(listOf(['a', 'b', 'c'], { position: 2, limit: 2, atLimit })).toBe(422);
    expect(listOf(['a', 'b', 'c'], { position: 2, atLimit })).toEqual(['a', 'b', 'new']);
    expect(listOf(['a'], { position: 'last', limit: 1, atLimit })).toBe(422);
  });

  it('rejects an invalid index', () => {
    for (const position of [-1, 0.5, Number.NaN]) expect([position, listOf([], { position })]).toEqual([position, 422]);
  });

  it('keeps the order, the limit and the new Delivery for any request', () => {
    const placing = fc.record({
      position: fc.option(
        fc.oneof(fc.constantFrom<DeliveryPosition>('first', 'last'), fc.integer({ min: -1, max: 7 })),
        { nil: undefined },
      ),
      limit: fc.option(fc.integer({ min: -1, max: 7 }), { nil: undefined }),
      globalLimit: fc.integer({ min: 1, max: 6 }),
      atLimit: fc.constantFrom('error' as const, 'drop' as const),
    });
    const lists = fc.integer({ min: 0, max: 7 }).map((many) => [...'abcdefg'].slice(0, many));
    fc.assert(
      fc.property(lists, placing, (list, input) => {
        const before = [...list];
        const placed = placeDelivery(list, { id: 'new', ...input });
        expect(list).toEqual(before);
        const most = input.limit ?? input.globalLimit;
        if ('problem' in placed) {
          if (placed.status === 409) expect(input.atLimit === 'error' && list.length >= most).toBe(true);
          return;
        }
        expect(placed.list.length).toBeLessThanOrEqual(Math.min(most, input.globalLimit));
        expect(placed.list).toContain('new');
        expect([...placed.list, ...placed.dropped].filter((one) => one !== 'new')).toEqual(before);
        // It drops no more Deliveries than necessary.
        expect(placed.dropped.length).toBe(Math.max(0, list.length + 1 - most));
        if (input.atLimit === 'error') expect(placed.dropped).toEqual([]);
        if (placed.dropped.length === 0 && typeof input.position === 'number')
          expect(placed.list.indexOf('new')).toBe(Math.min(input.position, list.length));
      }),
      { numRuns: randomRuns(1000) },
    );
  });
});

describe('parseTarget', () => {
  it('accepts exactly one way to name the profile', () => {
    expect(parseTarget({ profile_id: id })).toEqual({ id });
    expect(parseTarget({ uid: '18821', email: null })).toEqual({ uid: '18821' });
    expect(parseTarget({ email: 'ann@example.com' })).toEqual({ email: 'ann@example.com' });
    expect(parseTarget({ profile_id: null })).toBe(undefined);
    expect(parseTarget({ profile_id: id, uid: '18821' })).toHaveProperty('problem');
    expect(parseTarget({ uid: '18821', email: 'ann@example.com' })).toHaveProperty('problem');
  });
});

describe('findDeliveryProblems', () => {
  const problems = (input: Partial<Parameters<typeof findDeliveryProblems>[0]>) =>
    findDeliveryProblems({ from_at: null, until_at: null, options: null, ...input });

  it('accepts `from` before or at `until`', () => {
    expect(problems({ from_at: 2, until_at: 1 })).toEqual(['`from` must not be after `until`']);
    expect(problems({ from_at: 1, until_at: 1 })).toEqual([]);
    expect(problems({ from_at: 2 })).toEqual([]);
    expect(problems({ until_at: 1 })).toEqual([]);
  });

  it('rejects options that a database cannot store', () => {
    const unicode = ['`options` must be valid Unicode without NUL characters'];
    for (const text of ['\0', '\ud800']) {
      expect(problems({ options: { a: [{ b: text }] } })).toEqual(unicode);
      expect(problems({ options: { a: { [text]: 1 } } })).toEqual(unicode);
    }
    expect(problems({ options: { é: ['😀', null, 1.5, true, {}] } })).toEqual([]);
  });

  it('rejects options of more than 16384 characters', () => {
    const ofLength = (length: number) => ({ a: 'x'.repeat(length - '{"a":""}'.length) });
    expect(problems({ options: ofLength(16_384) })).toEqual([]);
    expect(problems({ options: ofLength(16_385) })).toEqual(['`options` must be 16384 characters of JSON at most']);
  });

  it('rejects options nested deeper than 64 levels', () => {
    const nested = (depth: number) => {
      let options: object = {};
      for (let level = 1; level < depth; level++) options = level % 2 ? { a: options } : [options];
      return options;
    };
    expect(problems({ options: nested(64) })).toEqual([]);
    expect(problems({ options: nested(66) })).toEqual(['`options` are nested deeper than 64 levels']);
    expect(problems({ options: nested(100_000) })).toEqual(['`options` are nested deeper than 64 levels']);
  });
});

describe('parameters of a Delivery', () => {
  const create = compileReader<CreateDelivery>(CreateDelivery);
  const update = compileReader<UpdateDelivery>(UpdateDelivery);
  const model = { model_kind: 'tour', model_id: id };

  it('have defaults', () => {
    expect(create(model, now)).toEqual({
      value: {
        ...model,
        use_segmentation: false,
        once: false,
        skip_triggers: true,
        skip_url_match: true,
        delivery_ids_at_limit: 'error',
      },
    });
    expect(update({}, now)).toEqual({ value: { delivery_ids_at_limit: 'error' } });
  });

  it('read times in every format', () => {
    const until = {
      '+30d': now + 30 * day,
      '2029-05-01': Date.UTC(2029, 4, 1),
      $now: now,
      '1870258680': 1870258680_000,
    };
    for (const [input, read] of Object.entries(until))
      expect(create({ ...model, until: input }, now)).toMatchObject({ value: { until: read } });
    expect(create({ ...model, from: 'soon', until: '30d' }, now)).toMatchObject({
      problems: [expect.stringMatching(/^`from` must be/), expect.stringMatching(/^`until` must be/)],
    });
  });

  it('read a position as a word or an index, also from forms', () => {
    const positions = { first: 'first', last: 'last', '0': 0, '12': 12 };
    for (const [input, read] of Object.entries(positions))
      expect(update({ delivery_ids_position: input }, now)).toMatchObject({ value: { delivery_ids_position: read } });
    expect(update({ delivery_ids_position: 2 }, now)).toMatchObject({ value: { delivery_ids_position: 2 } });
    for (const input of [-1, '-1', 1.5, 'middle', '', null, true, [0], {}, Number.NaN])
      expect(update({ delivery_ids_position: input }, now)).toEqual({
        problems: [expect.stringMatching(/^`delivery_ids_position` must be `first`, `last` or an index from 0, not /)],
      });
  });
});
