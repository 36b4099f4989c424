import { expect, it } from 'vitest';
import { tourCommand } from './tour-command.ts';

const bodyOf = (command: string) => JSON.parse(command.slice(command.indexOf("'{") + 1, command.indexOf("}'") + 1));

it('publishes the tour on the pages of the demo only', () => {
  const { published_at, steps } = bodyOf(tourCommand('http://127.0.0.1:3400', true));
  expect([published_at, steps[0].quantifier_urls]).toEqual(['$now', [{ url: '/demo/*' }]]);
});

it('creates a draft on a server without the demo', () => {
  const command = tourCommand('http://127.0.0.1:3400', false);
  expect(bodyOf(command).published_at).toBe(undefined);
  expect(command).toContain('-X PATCH "http://127.0.0.1:3400/v3/edit/tours/ID"');
});
