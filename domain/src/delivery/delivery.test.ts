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

describe('placing among the pending ones', () => {
  const place = (list: string[], input: Partial<Parameters<typeof placeDelivery>[1]> = {}) =>
    placeDelivery(list, { id: 'new', globalLimit: 3, atLimit: 'error', ...input });
  const listOf = (list: string[], input: Parameters<typeof place>[1] = {}) => {
    const placed = place(list, input);
    return 'list' in placed ? placed.list : placed.status;
  };

  it('goes first unless it is told where', () => {
    expect(listOf([])).toEqual(['new']);
    expect(listOf(['a'])).toEqual(['new', 'a']);
    expect(listOf(['a'], { position: 'last' })).toEqual(['a', 'new']);
  });

  it('goes to an index, and from beyond the end to the end', () => {
    const list = ['a', 'b'];
    expect(listOf(list, { position: 0 })).toEqual(['new', 'a', 'b']);
    expect(listOf(list, { position: 1 })).toEqual(['a', 'new', 'b']);
    expect(listOf(list, { position: 2 })).toEqual(['a', 'b', 'new']);
    expect(listOf(list, { position: 1000 })).toEqual(['a', 'b', 'new']);
  });

  it('has to be told where when two are pending, unless only one is to stay', () => {
    expect(listOf(['a', 'b'])).toBe(422);
    expect(listOf(['a', 'b', 'c'], { atLimit: 'drop' })).toBe(422);
    expect(listOf(['a', 'b'], { limit: 2, atLimit: 'drop' })).toBe(422);
    expect(listOf(['a', 'b'], { limit: 1, atLimit: 'drop' })).toEqual(['new']);
    expect(listOf(['a', 'b'], { globalLimit: 1, atLimit: 'drop' })).toEqual(['new']);
    expect(listOf(['a', 'b'], { limit: 1 })).toBe(409);
  });

  it('is refused at the limit, which the request can only lower', () => {
    expect(listOf(['a', 'b', 'c'], { position: 'first' })).toBe(409);
    expect(listOf(['a', 'b'], { position: 'first', limit: 2 })).toBe(409);
    expect(listOf(['a', 'b', 'c'], { position: 'first', globalLimit: 4 })).toEqual(['new', 'a', 'b', 'c']);
    for (const limit of [0, -1, 4, 1.5, Number.NaN, 1e308])
      expect([limit, listOf([], { limit })]).toEqual([limit, 422]);
  });

  it('drops from the end until the limit holds', () => {
    expect(place(['a', 'b', 'c'], { position: 'first', atLimit: 'drop' })).toEqual({
      list: ['new', 'a', 'b'],
      dropped: ['c'],
    });
    expect(place(['a', 'b', 'c'], { position: 1, limit: 2, atLimit: 'drop' })).toEqual({
      list: ['a', 'new'],
      dropped: ['b', 'c'],
    });
  });

  it('is never what is dropped itself', () => {
    const atLimit = 'drop';
    for (const position of ['last', 3, 99] as const) expect(listOf(['a', 'b', 'c'], { position, atLimit })).toBe(422);
    expect(listOf(['a', 'b', 'c'], { position: 2, limit: 2, atLimit })).toBe(422);
    expect(listOf(['a', 'b', 'c'], { position: 2, atLimit })).toEqual(['a', 'b', 'new']);
    expect(listOf(['a'], { position: 'last', limit: 1, atLimit })).toBe(422);
  });

  it('refuses an index that is none', () => {
    for (const position of [-1, 0.5, Number.NaN]) expect([position, listOf([], { position })]).toEqual([position, 422]);
  });

  it('keeps the order, the limit and the new one, whatever is asked', () => {
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
        // No more go than have to.
        expect(placed.dropped.length).toBe(Math.max(0, list.length + 1 - most));
        if (input.atLimit === 'error') expect(placed.dropped).toEqual([]);
        if (placed.dropped.length === 0 && typeof input.position === 'number')
          expect(placed.list.indexOf('new')).toBe(Math.min(input.position, list.length));
      }),
      { numRuns: randomRuns(1000) },
    );
  });
});

describe('who it is for', () => {
  it('is named once', () => {
    expect(parseTarget({ profile_id: id })).toEqual({ id });
    expect(parseTarget({ uid: '18821', email: null })).toEqual({ uid: '18821' });
    expect(parseTarget({ email: 'ann@example.com' })).toEqual({ email: 'ann@example.com' });
    expect(parseTarget({ profile_id: null })).toBe(undefined);
    expect(parseTarget({ profile_id: id, uid: '18821' })).toHaveProperty('problem');
    expect(parseTarget({ uid: '18821', email: 'ann@example.com' })).toHaveProperty('problem');
  });
});

describe('what it holds', () => {
  const problems = (input: Partial<Parameters<typeof findDeliveryProblems>[0]>) =>
    findDeliveryProblems({ from_at: null, until_at: null, options: null, ...input });

  it('begins before it ends, or at the same moment', () => {
    expect(problems({ from_at: 2, until_at: 1 })).toEqual(['`from` must not be after `until`']);
    expect(problems({ from_at: 1, until_at: 1 })).toEqual([]);
    expect(problems({ from_at: 2 })).toEqual([]);
    expect(problems({ until_at: 1 })).toEqual([]);
  });

  it('has options that every database can keep', () => {
    const unicode = ['`options` must be valid Unicode without NUL characters'];
    for (const text of ['\0', '\ud800']) {
      expect(problems({ options: { a: [{ b: text }] } })).toEqual(unicode);
      expect(problems({ options: { a: { [text]: 1 } } })).toEqual(unicode);
    }
    expect(problems({ options: { é: ['😀', null, 1.5, true, {}] } })).toEqual([]);
  });

  it('has options of 16384 characters at most', () => {
    const ofLength = (length: number) => ({ a: 'x'.repeat(length - '{"a":""}'.length) });
    expect(problems({ options: ofLength(16_384) })).toEqual([]);
    expect(problems({ options: ofLength(16_385) })).toEqual(['`options` must be 16384 characters of JSON at most']);
  });

  it('has options nested 64 levels deep at most, whatever the stack would bear', () => {
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

describe('its parameters', () => {
  const create = compileReader<CreateDelivery>(CreateDelivery);
  const update = compileReader<UpdateDelivery>(UpdateDelivery);
  const model = { model_kind: 'tour', model_id: id };

  it('have their defaults', () => {
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

  it('read times in every form, an interval from now', () => {
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

  it('read a position as a word or an index, as encodings without types give it too', () => {
    const positions = { first: 'first', last: 'last', '0': 0, '12': 12 };
    for (const [input, read] of Object.entries(positions))
      expect(update({ delivery_ids_position: input }, now)).toMatchObject({ value: { delivery_ids_position: read } });
    expect(update({ delivery_ids_position: 2 }, now)).toMatchObject({ value: { delivery_ids_position: 2 } });
    for (const input of [-1, '-1', 1.5, 'middle', '', null, true, [0], {}, Number.NaN])
      expect(update({ delivery_ids_position: input }, now)).toEqual({
        problems: ['`delivery_ids_position` must be `first`, `last` or an index from 0'],
      });
  });
});
