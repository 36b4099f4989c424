import { describe, expect, it } from 'vitest';
import type { PageExperience, PageUrl } from '../kind.ts';
import { type PageDelivery, planOf, staysOn, stepToStart } from './plan.ts';

const tour = (id: string, given: Partial<PageExperience> = {}): PageExperience => ({ id, kind: 'tour', ...given });
const delivery = (id: string, model_id: string, given: Partial<PageDelivery> = {}): PageDelivery => ({
  id,
  model_id,
  ready: true,
  ...given,
});

describe('what an answer asks for', () => {
  it('is Deliveries in their order, then what shows by itself', () => {
    const answer = {
      deliveries: [delivery('d1', 'b'), delivery('d2', 'a'), delivery('d3', 'b')],
      experiences: [
        tour('a'),
        tour('b'),
        tour('c', { automatic: true }),
        tour('d', { kind: 'launcher', automatic: true }),
      ],
    };
    const plan = planOf(answer).map(({ experience, delivery }) => [experience.id, delivery?.id]);
    expect(plan).toEqual([
      ['b', 'd1'],
      ['a', 'd2'],
      ['b', 'd3'],
      ['c', undefined],
      ['d', undefined],
    ]);
  });

  it('is at its time, of a Delivery that is early; nothing, of one that may not run or has no content', () => {
    const from = '2029-04-07T12:18:00.000Z';
    const deliveries = [
      delivery('early', 'a', { ready: false, from }),
      delivery('refused', 'a', { ready: false, from: null }),
      delivery('unknown', 'x'),
    ];
    expect(planOf({ deliveries, experiences: [tour('a')] })).toEqual([
      { experience: tour('a'), delivery: deliveries[0], at: Date.parse(from) },
    ]);
  });
});

describe('at another address', () => {
  const answer = {
    deliveries: [delivery('d', 'a')],
    experiences: [tour('a'), tour('l', { kind: 'launcher', automatic: true })],
  };

  it('goes on what the user has begun', () => {
    expect(staysOn({ experience: tour('x'), began: true }, answer)).toBe(true);
    expect(staysOn({ experience: tour('x'), began: false }, answer)).toBe(false);
    expect(staysOn({ experience: tour('x', { kind: 'embed' }), began: true }, answer)).toBe(false);
  });

  it('goes on what still fits: a Delivery only as that Delivery', () => {
    expect(staysOn({ experience: tour('l', { kind: 'launcher' }), began: false }, answer)).toBe(true);
    expect(staysOn({ experience: tour('a'), began: false, delivery: { id: 'd' } }, answer)).toBe(true);
    expect(staysOn({ experience: tour('a'), began: false, delivery: { id: 'other' } }, answer)).toBe(false);
    expect(staysOn({ experience: tour('a'), began: false }, answer)).toBe(false);
  });
});

describe('the step to start with', () => {
  const steps = [
    { id: '1', quantifier_urls: [{ url: '/1' }] },
    { id: '2' },
    { id: '3', quantifier_urls: [{ url: '/3' }] },
  ];
  const on = (path: string) => (urls: readonly PageUrl[] | undefined) => !urls || urls.some(({ url }) => url === path);
  const start = (given: { step_id?: string }, kept: string | undefined, path: string) =>
    stepToStart({ steps, ...given }, kept, on(path))?.id;

  it('is the first, unless the user is in the middle of it', () => {
    expect(start({}, undefined, '/1')).toBe('1');
    expect(start({}, '2', '/1')).toBe('1');
    expect(start({ step_id: 'gone' }, '2', '/1')).toBe('1');
  });

  it('is the one that the user was at, else the one seen last', () => {
    expect(start({ step_id: '1' }, '2', '/1')).toBe('2');
    expect(start({ step_id: '2' }, '1', '/1')).toBe('1');
    expect(start({ step_id: '2' }, undefined, '/1')).toBe('2');
    expect(start({ step_id: '2' }, 'gone', '/1')).toBe('2');
  });

  it('is a later one that is for this page, where that one is not', () => {
    expect(start({ step_id: '1' }, undefined, '/3')).toBe('3');
    expect(start({ step_id: '1' }, undefined, '/4')).toBe('1');
    expect(start({ step_id: '3' }, undefined, '/1')).toBe('3');
  });
});
