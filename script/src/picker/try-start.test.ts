import { describe, expect, it } from 'vitest';
import type { PageExperience } from '../wire.ts';
import { chooseStart, isForOtherPages, saveStep } from './try-start.ts';

const tour = {
  ...{ id: 'x', kind: 'tour' },
  steps: [{ id: 'a' }, { id: 'b', quantifier_urls: [{ url: '/b' }] }, { id: 'c', quantifier_urls: [{ url: '/c' }] }],
} as PageExperience;
const everywhere = () => true;

describe('chooseStart', () => {
  it.each([
    ['begins with the first step', {}, undefined, { id: 'a', hasJumped: true, isDeleted: false }],
    ['begins with the step of the pick', {}, 'b', { id: 'b', hasJumped: true, isDeleted: false }],
    ['prefers the step that was saved', { step: 'c' }, 'b', { id: 'c', hasJumped: true, isDeleted: false }],
    ['goes on where it was', { step: 'b', jumped: false }, 'a', { id: 'b', hasJumped: false, isDeleted: false }],
    ['says that the step was deleted', { step: 'gone' }, 'b', { id: 'a', hasJumped: true, isDeleted: true }],
  ])('%s', (_, saved, pickedId, { id, ...expected }) => {
    expect(chooseStart(tour, saved, pickedId, everywhere)).toEqual({
      ...expected,
      step: tour.steps?.find((step) => step.id === id),
    });
  });

  it('goes on with the step of this page, as for users, unless the administrator has jumped', () => {
    const isOnC = (urls: readonly { url?: string }[] | undefined) => !urls || urls[0]?.url === '/c';
    expect(chooseStart(tour, { step: 'b', jumped: false }, undefined, isOnC).step?.id).toBe('c');
    expect(chooseStart(tour, { step: 'b', jumped: true }, undefined, isOnC).step?.id).toBe('b');
  });
});

describe('saveStep', () => {
  it.each([
    ['keeps the jump to the step that it began with', 'a', true, {}, true],
    ['keeps that there was no jump', 'a', true, { jumped: false }, false],
    ['forgets the jump with the next step', 'a', false, {}, false],
    ['forgets the jump when another step comes first', 'b', true, {}, false],
  ])('%s', (_, id, isFirst, saved, jumped) => {
    expect(saveStep(id, 'a', isFirst, saved)).toEqual({ step: id, jumped, ended: undefined });
  });
});

describe('isForOtherPages', () => {
  it.each([
    ['launcher', true, false, true],
    ['launcher', true, true, false],
    ['launcher', false, false, false],
    ['tour', true, false, false],
  ] as const)('a %s with real triggers (%s), on a page that matches (%s): %s', (kind, real, matches, expected) => {
    expect(isForOtherPages({ id: 'x', kind }, { real }, () => matches)).toBe(expected);
  });
});
