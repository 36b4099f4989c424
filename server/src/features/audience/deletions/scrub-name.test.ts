import { expect, it } from 'vitest';
import { buildNameScrubber } from './scrub-name.ts';

const scrub = buildNameScrubber([
  { id: '5fb70dcbc39330000325a818', uid: 'design', email: 'Ann.Lee+x@acme.test' },
  { id: '5fb70dcbc39330000325a819', uid: '918273645', email: null },
  { id: '5fb70dcbc39330000325a820', uid: 'a.*(b', email: null },
]);

it.each([
  ['People whose email is ann.lee+x@ACME.test', false, 'People whose email is (forgotten)'],
  ['People whose id is 5fb70dcbc39330000325a818', false, 'People whose id is (forgotten)'],
  ['People whose uid is 918,273,645 or 918273645', false, 'People whose uid is (forgotten) or (forgotten)'],
  ['joann.lee+x@acme.test', false, 'joann.lee+x@acme.test'],
  ['Design partners', false, 'Design partners'],
  ['People whose uid is “design”', true, 'People whose uid is “(forgotten)”'],
  ['People whose uid is “a.*(b”, redesign', true, 'People whose uid is “(forgotten)”, redesign'],
] as const)('%s', (name, isNamed, expected) => {
  expect(scrub(name, isNamed)).toBe(expected);
});

it('keeps every name when the email is missing', () => {
  expect(buildNameScrubber([{ id: 'f'.repeat(24), uid: '1', email: null }])('Top 1', false)).toBe('Top 1');
});
