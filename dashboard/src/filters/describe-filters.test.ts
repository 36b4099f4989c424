import type { Filter, GroupOp } from '@usher/domain';
import { describe, expect, it } from 'vitest';
import { describeFilters, suggestName } from './describe-filters.ts';
import type { FilterNames } from './names.ts';

const names: FilterNames = {
  property: (prop) => prop.replace('company.', 'Company '),
  event: (uid) => uid.replace('_', ' '),
  experience: (_, id) => (id === 'a' ? 'Welcome' : 'NPS'),
  segment: () => 'Beta',
};
const describeAll = (filters: Filter[], filters_op: GroupOp = 'and') => describeFilters({ filters, filters_op }, names);
const property = (prop: string, op: string, value?: unknown) =>
  ({ kind: 'property', prop, op, ...(value !== undefined && { value }) }) as Filter;

describe('the sentence of a Segment', () => {
  it('reads as people say it', () => {
    const filters = [
      property('role', 'eq', 'admin'),
      property('plan', 'eq', 'pro'),
      property('last_seen_at', 'gt-d', 7),
    ];
    expect(describeAll(filters)).toBe('Admins on plan pro, seen in the last 7 days');
    expect(describeAll(filters, 'or')).toBe('People whose role is admin or on plan pro or seen in the last 7 days');
    expect(describeAll([])).toBe('Everybody');
    expect(describeFilters({ filters: [], filters_op: 'and' }, names, 'Companies')).toBe('Companies');
  });

  it.each<[string, Filter]>([
    ['Owners or secretaries', property('role', 'in-v', ['owner', 'secretary'])],
    ['People whose role is 12', property('role', 'eq', 12)],
    ['People not on plan free or trial', property('plan', 'nin-v', ['free', 'trial'])],
    [
      'People whose country is one of DE, FR or “New Zealand”',
      property('country', 'in-v', ['DE', 'FR', 'New Zealand']),
    ],
    ['People whose country is DE', property('country', 'in-v', ['DE'])],
    ['People with trial_ends', property('trial_ends', 'ex')],
    ['People without Company plan', property('company.plan', 'nx')],
    ['People whose trial_ends is in the last day', property('trial_ends', 'gt-d', 1)],
    ['People whose trial_ends is more than 30 days ago', property('trial_ends', 'lt-d', 30)],
    ['People whose signed_at is on or after Mar 1, 2026', property('signed_at', 'gte', '2026-03-01')],
    ['People whose paying is yes', property('paying', 'eq', true)],
    ['People whose seats is at least 1,000', property('seats', 'gte', 1000)],
    ['People whose email contains @acme.com', property('email', 'in-i', '@acme.com')],
    ['People whose tags includes a or b', property('tags', 'in-a', ['a', 'b'])],
    ['People with at least 5 sessions', property('last_seen_session_count', 'gte', 5)],
    ['People not seen for 30 days', property('last_seen_at', 'lt-d', 30)],
    ['People never seen', property('last_seen_at', 'nx')],
    ['People new in the last 30 days', property('created_at', 'gt-d', 30)],
    ['People who did “signed in”', { kind: 'event', op: 'ex', value: 'signed_in' }],
    ['People who never did “signed in”', { kind: 'event', op: 'nx', value: 'signed_in' }],
    [
      'People who did “signed in” at least 3 times and last in the last 7 days',
      { kind: 'event', op: 'ex', value: 'signed_in', mod: 'gte', range: 3, cond: 'gt-d', int: 7 },
    ],
    [
      'People who last did “signed in” more than 7 days ago',
      { kind: 'event', op: 'ex', value: 'signed_in', cond: 'lt-d', int: 7 },
    ],
    [
      'People who did not do “signed in” in the last 7 days',
      { kind: 'event', op: 'nx', value: 'signed_in', cond: 'gt-d', int: 7 },
    ],
    ['People who have not completed “Welcome”', { kind: 'tour', op: 'nx', value: 'a', range: 'completed' }],
    [
      'People who started “Welcome” in the last 2 days',
      { kind: 'tour', op: 'ex', value: 'a', range: 'started', cond: 'gt-d', int: 2 },
    ],
    ['People who answered “NPS” with an answer from 9', { kind: 'survey', op: 'ex', value: 'b', mod: 'gte', range: 9 }],
    ['People not in “Beta”', { kind: 'segment', op: 'nx', value: 'c' }],
  ])('says “%s”', (sentence, filter) => {
    expect(describeAll([filter])).toBe(sentence);
  });

  it('puts a group into parentheses unless it says the same without', () => {
    const one = property('plan', 'eq', 'pro');
    const other = property('last_seen_at', 'gt-d', 7);
    const group = (filters_op: GroupOp): Filter => ({ kind: 'group', filters: [one, other], filters_op });
    const role = property('role', 'eq', 'admin');
    expect(describeAll([role, group('or')])).toBe('Admins (on plan pro or seen in the last 7 days)');
    expect(describeAll([role, group('and')])).toBe('Admins on plan pro, seen in the last 7 days');
    expect(describeAll([group('or')])).toBe('People (on plan pro or seen in the last 7 days)');
  });

  it('is a name that the API takes, however long it is', () => {
    const filters = Array.from({ length: 50 }, (_, index) => property(`property_${index}`, 'eq', 'x'));
    const name = suggestName({ filters, filters_op: 'and' }, names);
    expect(name.length).toBeLessThanOrEqual(200);
    expect(name).toMatch(/^People whose property_0 is x, .*…$/);
  });
});
