import { permissionsOf, type Role } from '@usher/domain';
import { expect, it, vi } from 'vitest';
import type { SignedIn } from '../api/session.ts';
import { routes } from '../routes.tsx';
import { findAppRoute } from './find-route.ts';
import { mayOpen, rolesFor } from './may-open.ts';
import { routeTable } from './route.ts';

// The build defines this constant.
vi.hoisted(() => Object.assign(globalThis, { __HAS_PARTS_PAGE__: false }));

Object.assign(routeTable, { routes });

const find = (path: string) => {
  const found = findAppRoute(path);
  if (!found) throw new Error(`There is no page at ${path}`);
  return found;
};
const canOpen = (role: Role, path: string) => {
  const { route, params } = find(path);
  return mayOpen({ user: { role, permissions: permissionsOf({ role }) } } as Pick<SignedIn, 'user'>, route, params);
};

it.each([
  ['/app/languages', true],
  ['/app/settings/languages', true],
  ['/app/settings/profile', true],
  ['/app/settings/devices', true],
  ['/app/experiences/1/languages', true],
  ['/app', false],
  ['/app/experiences', false],
  ['/app/experiences/1', false],
  ['/app/experiences/1/targeting', false],
  ['/app/domains', false],
  ['/app/settings/install', false],
  ['/app/settings/team', false],
])('shows a translator what is about languages and their own: %s', (path, isOpen) => {
  expect(canOpen('translator', path)).toBe(isOpen);
  expect(canOpen('owner', path)).toBe(true);
});

it('names the roles that see a page', () => {
  const { route, params } = find('/app/domains');
  expect(rolesFor(route, params)).toEqual(['owner', 'editor', 'viewer']);
  expect(rolesFor(find('/app/settings/team').route, {})).toEqual(['owner']);
});
