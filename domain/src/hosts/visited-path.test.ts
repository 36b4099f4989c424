import { describe, expect, it } from 'vitest';
import { toVisitedPath } from './visited-path.ts';

const pathOf = (rest: string) => toVisitedPath(`https://app.example.com${rest}`);

describe('toVisitedPath', () => {
  it.each([
    ['', '/'],
    ['/', '/'],
    ['/dashboard', '/dashboard'],
    ['/settings/team/', '/settings/team'],
    ['/v2/api-keys', '/v2/api-keys'],
    ['/docs/how-to-install.html', '/docs/how-to-install.html'],
    ['/userSettings', '/userSettings'],
    ['/einstellungen/%C3%BCbersicht', '/einstellungen/übersicht'],
  ])('keeps the words of %s', (path, expected) => expect(pathOf(path)).toBe(expected));

  it.each([
    ['/a?email=ann@example.com', '/a'],
    ['/a#token=secret', '/a'],
    ['?tab=x', '/'],
    ['#/b', '/'],
  ])('drops the query and the fragment of %s', (path, expected) => expect(pathOf(path)).toBe(expected));

  it.each([
    '/users/17',
    '/users/5fb70dcbc39330000325a818',
    '/users/6ba7b810-9dad-11d1-80b4-00c04fd430c8',
    '/users/ann@example.com',
    '/users/ann%40example.com',
    '/users/Ann%20Lee',
    '/users/+4915112345678',
    '/users/id=7',
    '/users/user-1234',
    '/users/%E0%A4%A',
    '/users/eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl',
    '/users/aBcDeFgHiJkLmNoPqR',
    '/users/Xq7mPw2z',
    `/users/${'x'.repeat(41)}`,
  ])('replaces what may identify somebody in %s', (path) => expect(pathOf(path)).toBe('/users/*'));

  it('keeps at most 12 parts, and nothing of a path that is too long', () => {
    expect(pathOf('/a'.repeat(30))).toBe(`${'/a'.repeat(12)}/*`);
    expect(pathOf('/abcdefghijklmnopqrstuvw'.repeat(12))).toBeUndefined();
  });

  it('drops the user name and password of an address', () => {
    expect(toVisitedPath('https://ann:secret@app.example.com/a')).toBe('/a');
  });
});
