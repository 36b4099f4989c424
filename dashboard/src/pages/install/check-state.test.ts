import { expect, it } from 'vitest';
import type { Entry, Host, Installation } from '../../api/installation.ts';
import { findCheckState, findSteps } from './check-state.ts';

const nothing: Installation = {
  server_url: 'https://usher.example.com',
  page_url: 'https://usher.example.com',
  script_url: 'https://usher.example.com/script/token.js',
  account_token: 'token',
  has_uid_secret: false,
  require_uid_hash: false,
  trust_pages: false,
  demo_url: null,
  first_seen_at: null,
  last_seen_at: null,
  hosts: [],
  missing: [],
  entries: [],
};
const AT = '2029-04-07T12:00:00.000Z';
const host = (state: Host['state'], seen: string | null = null): Host => ({
  host: `${state}.example.com`,
  url_id: 'id',
  state,
  environment: null,
  installed_at: AT,
  first_seen_at: seen,
  last_seen_at: seen,
});
const entry = (kind: Entry['kind'], outcome: Entry['outcome']): Entry => ({
  ...{ id: 'id', created_at: AT, kind, host: 'a.example.com', path: '/', uid: 'ann', profile_id: null },
  ...{ user_agent: '', name: null, fields: [], outcome, messages: ['why'] },
});
const off = { code: 'host_off' as const, message: '', host: 'off.example.com', url_id: 'id' };

it.each<[string, Partial<Installation>, string, string | undefined]>([
  ['waits', {}, 'waiting', undefined],
  [
    'asks for the user once the script is loaded',
    { entries: [entry('script', 'accepted')] },
    'script',
    'a.example.com',
  ],
  ['asks for the user on a known domain', { hosts: [host('on')] }, 'script', 'on.example.com'],
  ['offers to turn a domain on', { hosts: [host('off')], missing: [off] }, 'off', 'off.example.com'],
  ['says why a page load was rejected', { entries: [entry('identify', 'rejected')] }, 'rejected', 'a.example.com'],
  ['works after a page load with a user', { entries: [entry('identify', 'partly')] }, 'works', 'a.example.com'],
  [
    'works if it has worked before',
    { first_seen_at: AT, last_seen_at: AT, hosts: [host('off'), host('on', AT)] },
    'works',
    'on.example.com',
  ],
])('%s', (_, installation, is, where) => {
  const state = findCheckState({ ...nothing, ...installation });
  expect([state.is, 'host' in state ? state.host : undefined]).toEqual([is, where]);
});

it('counts the steps that are done', () => {
  expect(findSteps(nothing)).toEqual({ script: false, domain: false, user: false });
  expect(findSteps({ ...nothing, hosts: [host('off')] })).toEqual({ script: true, domain: false, user: false });
  expect(findSteps({ ...nothing, hosts: [host('on')] })).toEqual({ script: true, domain: true, user: false });
  expect(findSteps({ ...nothing, first_seen_at: AT })).toEqual({ script: true, domain: true, user: true });
});
