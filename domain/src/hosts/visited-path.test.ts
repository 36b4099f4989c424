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
    '/items/17',
    '/items/5fb70dcbc39330000325a818',
    '/items/6ba7b810-9dad-11d1-80b4-00c04fd430c8',
    '/items/ann@example.com',
    '/items/ann%40example.com',
    '/items/Ann%20Lee',
    '/items/+4915112345678',
    '/items/id=7',
    '/items/user-1234',
    '/items/%E0%A4%A',
    '/items/eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl',
    '/items/aBcDeFgHiJkLmNoPqR',
    '/items/Xq7mPw2z',
    `/items/${'x'.repeat(41)}`,
  ])('replaces what may identify somebody in %s', (path) => expect(pathOf(path)).toBe('/items/*'));

  it.each([
    ['/u/johnsmith', '/u/*'],
    ['/users/annlee/posts', '/users/*/posts'],
    ['/People/Ann-Lee', '/People/*'],
    ['/team/john.smith', '/team/*'],
    ['/@annlee', '/*'],
  ])('replaces the name of a person in %s', (path, expected) => expect(pathOf(path)).toBe(expected));

  it.each(['/users', '/users/new', '/users/settings', '/u/all', '/index.php', '/team/members'])(
    'keeps a page about people: %s',
    (path) => expect(pathOf(path)).toBe(path),
  );

  it('keeps at most 12 parts, and nothing of a path that is too long', () => {
    expect(pathOf('/a'.repeat(30))).toBe(`${'/a'.repeat(12)}/*`);
    expect(pathOf('/abcdefghijklmnopqrstuvw'.repeat(12))).toBeUndefined();
  });

  it('drops the user name and password of an address', () => {
    expect(toVisitedPath('https://ann:secret@app.example.com/a')).toBe('/a');
  });
});
