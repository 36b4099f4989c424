import { expect, it } from 'vitest';
import { checkSteps } from './check-steps.ts';

type Installation = Parameters<typeof checkSteps>[0];
const counts = { own: 0, own_live: 0 } as Parameters<typeof checkSteps>[1];

/** Which of the first two steps are done if a page has loaded on the host. */
function doneOn(host: string, environment: string | null): boolean[] {
  const seen = { host, state: 'on', installed_at: '2029-01-01T00:00:00.000Z', first_seen_at: null };
  const group = environment === null ? null : { name: environment };
  const server_url = 'http://127.0.0.1:3400';
  const hosts = [{ ...seen, environment: group }] as Installation['hosts'];
  return checkSteps({ hosts, server_url, demo_url: `${server_url}/demo/` }, counts)
    .slice(0, 2)
    .map(({ isDone }) => isDone);
}

it('does not count the domains of the demo', () => {
  expect(doneOn('localhost', 'Demo')).toEqual([false, false]);
  expect(doneOn('127.0.0.1', 'Demo')).toEqual([false, false]);
});

it('counts domains of the product, also localhost once it is in an Environment of the product', () => {
  expect(doneOn('app.example.com', null)).toEqual([true, true]);
  expect(doneOn('localhost', 'Production')).toEqual([true, true]);
});
