import { canShowOn } from '@usher/domain';
import { describe, expect, it } from 'vitest';
import type { Domain, Place } from '../../api/domains.ts';
import { domainState, liveOn, moveEffect } from './domain-state.ts';

const then = '2029-01-01T00:00:00.000Z';
const later = '2029-02-01T00:00:00.000Z';
const domain = (change: Partial<Domain>) =>
  ({ archived_at: null, enabled: 'off', created_at: then, updated_at: then, installed_at: then, ...change }) as Domain;
const place = (name: string, url_group_ids: string[], change: Partial<Place> = {}): Place => ({
  ...{ id: name, kind: 'tour', name, state: 'live', url_group_ids, hosts: null },
  ...change,
});

it.each([
  ['new', {}],
  ['off', { updated_at: later }],
  ['off', { installed_at: null }],
  ['on', { enabled: 'on' as const }],
  ['on', { enabled: 'subdomain' as const }],
  ['archived', { enabled: 'on' as const, archived_at: later }],
])('is %s for %j', (state, change) => {
  expect(domainState(domain(change))).toBe(state);
});

describe('what shows on a domain', () => {
  const where = { host: 'beta.example.com', url_group_id: 'staging' };

  it('depends on the Environment and the hosts', () => {
    expect(canShowOn(place('a', []), where)).toBe(true);
    expect(canShowOn(place('a', ['production']), where)).toBe(false);
    expect(canShowOn(place('a', ['production']), { ...where, url_group_id: null })).toBe(true);
    expect(canShowOn(place('a', [], { hosts: ['app.example.com'] }), where)).toBe(false);
    expect(liveOn([place('a', []), place('b', [], { state: 'draft' })], where).map(({ name }) => name)).toEqual(['a']);
  });

  it('changes with a move', () => {
    const places = [
      place('draft', ['staging'], { state: 'draft' }),
      place('other draft', ['production'], { state: 'draft' }),
      place('everywhere', []),
      place('staging', ['staging']),
      place('both', ['staging', 'production']),
      place('production', ['production']),
      place('elsewhere', ['staging'], { hosts: ['app.example.com'] }),
    ];
    const names = (id: string | null) =>
      Object.fromEntries(
        Object.entries(moveEffect(places, where, id)).map(([key, list]) => [key, list.map(({ name }: Place) => name)]),
      );
    expect(names('production')).toEqual({
      stays: ['everywhere', 'both'],
      starts: ['production'],
      stops: ['staging', 'draft'],
    });
    expect(names(null)).toEqual({ stays: ['everywhere', 'staging', 'both'], starts: ['production'], stops: [] });
  });
});
