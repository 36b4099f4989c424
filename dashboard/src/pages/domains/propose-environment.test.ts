import { expect, it } from 'vitest';
import { proposeEnvironment } from './propose-environment.ts';

it.each([
  ['staging.example.com', 'Staging'],
  ['app.staging.example.com', 'Staging'],
  ['app-stage.example.com', 'Staging'],
  ['qa.example.com', 'Test'],
  ['dev.example.com', 'Development'],
  ['app.example.com', undefined],
  ['latest.example.com', undefined],
  ['staging.com', undefined],
  ['localhost', undefined],
])('proposes an Environment for %s: %s', (host, name) => {
  expect(proposeEnvironment(host)).toBe(name);
});
