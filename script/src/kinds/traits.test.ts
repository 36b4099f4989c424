import { experienceKinds, kinds } from '@usher/domain/kinds';
import { expect, it } from 'vitest';
import { traits } from './traits.ts';

it('has the traits that the domain has', () => {
  const known = experienceKinds.map((kind) => {
    const { isExclusive, asks, parts, place } = kinds[kind];
    return [kind, { isExclusive: !!isExclusive, asks: !!asks, hasItems: parts === 'items', place }];
  });
  const mine = Object.entries(traits).map(([kind, { isExclusive, asks, hasItems, place }]) => [
    kind,
    { isExclusive: !!isExclusive, asks: !!asks, hasItems: !!hasItems, place },
  ]);
  expect(Object.fromEntries(mine)).toEqual(Object.fromEntries(known));
});
