import { describe, expect, it } from 'vitest';
import type { PageDelivery, PageExperience, PageUrl } from '../wire.ts';
import { findStartStep, planStarts, staysActive } from './plan.ts';

const tour = (id: string, fields: Partial<PageExperience> = {}): PageExperience => ({ id, kind: 'tour', ...fields });
const delivery = (id: string, model_id: string, fields: Partial<PageDelivery> = {}): PageDelivery => ({
  id,
  model_id,
  model_kind: 'tour',
  ready: true,
  ...fields,
});

describe('planStarts', () => {
  it('lists Deliveries in their order, then what starts automatically', () => {
    const response = {
      deliveries: [delivery('d1', 'b'), delivery('d2', 'a'), delivery('d3', 'b')],
      experiences: [
        tour('a'),
        tour('b'),
        tour('c', { automatic: true }),
        tour('d', { kind: 'launcher', automatic: true }),
      ],
    };
    const plan = planStarts(response).map(({ experience, delivery }) => [experience.id, delivery?.id]);
    expect(plan).toEqual([
      ['b', 'd1'],
      ['a', 'd2'],
      ['b', 'd3'],
      ['c', undefined],
      ['d', undefined],
    ]);
  });

  it('lists a later Delivery with its time, and leaves out one that may not run or has no content', () => {
    const from = '2029-04-07T12:18:00.000Z';
    const deliveries = [
      delivery('early', 'a', { ready: false, from }),
      delivery('blocked', 'a', { ready: false, from: null }),
      delivery('unknown', 'x'),
    ];
    expect(planStarts({ deliveries, experiences: [tour('a')] })).toEqual([
      { experience: tour('a'), delivery: deliveries[0], startsAt: Date.parse(from) },
    ]);
  });
});

describe('staysActive', () => {
  const response = {
    deliveries: [delivery('d', 'a')],
    experiences: [tour('a'), tour('l', { kind: 'launcher', automatic: true })],
  };

  it('keeps a tour that the user has started or asked for', () => {
    expect(staysActive({ experience: tour('x'), hasStarted: true }, response)).toBe(true);
    expect(staysActive({ experience: tour('x'), hasStarted: false, explicitRequest: {} }, response)).toBe(true);
    expect(staysActive({ experience: tour('x'), hasStarted: false }, response)).toBe(false);
    expect(staysActive({ experience: tour('x', { kind: 'embed' }), hasStarted: true }, response)).toBe(false);
  });

  it('keeps what the visit asks for again, and a Delivery only as the same Delivery', () => {
    expect(staysActive({ experience: tour('l', { kind: 'launcher' }), hasStarted: false }, response)).toBe(true);
    expect(staysActive({ experience: tour('a'), hasStarted: false, delivery: { id: 'd' } }, response)).toBe(true);
    expect(staysActive({ experience: tour('a'), hasStarted: false, delivery: { id: 'other' } }, response)).toBe(false);
    expect(staysActive({ experience: tour('a'), hasStarted: false }, response)).toBe(false);
  });
});

describe('findStartStep', () => {
  const steps = [
    { id: '1', quantifier_urls: [{ url: '/1' }] },
    { id: '2' },
    { id: '3', quantifier_urls: [{ url: '/3' }] },
  ];
  const matches = (path: string) => (urls: readonly PageUrl[] | undefined) =>
    !urls || urls.some(({ url }) => url === path);
  const start = (fields: { step_id?: string }, saved: string | undefined, path: string) =>
    findStartStep({ steps, ...fields }, saved, matches(path))?.id;

  it('returns the first step unless the user is in the middle of the tour', () => {
    expect(start({}, undefined, '/1')).toBe('1');
    expect(start({}, '2', '/1')).toBe('1');
    expect(start({ step_id: 'gone' }, '2', '/1')).toBe('1');
  });

  it('returns the step where the user was, else the last one seen', () => {
    expect(start({ step_id: '1' }, '2', '/1')).toBe('2');
    expect(start({ step_id: '2' }, '1', '/1')).toBe('1');
    expect(start({ step_id: '2' }, undefined, '/1')).toBe('2');
    expect(start({ step_id: '2' }, 'gone', '/1')).toBe('2');
  });

  it('returns a later step that matches the page if that step does not', () => {
    expect(start({ step_id: '1' }, undefined, '/3')).toBe('3');
    expect(start({ step_id: '1' }, undefined, '/4')).toBe('1');
    expect(start({ step_id: '3' }, undefined, '/1')).toBe('3');
  });
});
