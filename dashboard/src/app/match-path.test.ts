import { expect, it } from 'vitest';
import { matchPath } from './match-path.ts';

it.each([
  ['/app', '/app', {}],
  ['/app', '/app/', {}],
  ['/app/experiences/:id', '/app/experiences/a%20b', { id: 'a b' }],
  ['/app/experiences/:id', '/app/experiences', undefined],
  ['/app/experiences/:id', '/app/experiences/', undefined],
  ['/app/experiences/:id', '/app/experiences/%E0%A4%A', undefined],
  ['/app/experiences/:id/:tab?', '/app/experiences/a', { id: 'a' }],
  ['/app/experiences/:id/:tab?', '/app/experiences/a/history', { id: 'a', tab: 'history' }],
  ['/app/experiences/:id/:tab?', '/app/experiences', undefined],
  ['/app/experiences/:id/:tab?', '/app/experiences/a/history/b', undefined],
  ['/app', '/app/settings', undefined],
])('matches %s with %s', (pattern, path, expected) => {
  expect(matchPath(pattern, path)).toEqual(expected);
});
