import { describe, expect, it } from 'vitest';
import { Router } from './router.ts';

const router = new Router<string>();
const paths = [
  ...['/', '/v3/edit/urls', '/v3/edit/urls/:id', '/v3/edit/:kind/:id', '/v3/edit/:kind/:id/steps/:step_id'],
  ...['/v3/edit/urls/:id/archive', '/files/:name', '/demo', '/demo/*'],
  ...['/v3/edit/:kind/i18n.:format', '/captures/:id', '/captures/:id.:format'],
];
for (const path of paths) router.add('GET', path, path);
router.add('POST', '/v3/edit/urls', 'create');
router.add('PUT', '/among/:word/:id', '/among/:word/:id', { word: ['one', 'two'] });

const find = (url: string, method = 'GET') => {
  const found = router.find(method, url);
  return found && [found.target, { ...found.params }];
};

describe('Router', () => {
  it.each([
    ['/', '/', {}],
    ['/?a=b', '/', {}],
    ['/v3/edit/urls', '/v3/edit/urls', {}],
    ['/v3/edit/urls?host=/x/y', '/v3/edit/urls', {}],
    ['/v3/edit/urls#part', '/v3/edit/urls', {}],
    ['/v3/edit/%75rls', '/v3/edit/urls', {}],
    ['/v3/edit/urls/1', '/v3/edit/urls/:id', { id: '1' }],
    ['/v3/edit/urls/1/archive', '/v3/edit/urls/:id/archive', { id: '1' }],
    // A fixed segment that leads nowhere is tried again as a parameter.
    ['/v3/edit/urls/1/steps/2', '/v3/edit/:kind/:id/steps/:step_id', { kind: 'urls', id: '1', step_id: '2' }],
    ['/v3/edit/tours/1', '/v3/edit/:kind/:id', { kind: 'tours', id: '1' }],
    ['/v3/edit/tours/a%2Fb%20c', '/v3/edit/:kind/:id', { kind: 'tours', id: 'a/b c' }],
    ['/v3/edit/__proto__/constructor', '/v3/edit/:kind/:id', { kind: '__proto__', id: 'constructor' }],
    [`/files/${'x'.repeat(500)}`, '/files/:name', { name: 'x'.repeat(500) }],
    ['/v3/edit/tours/i18n.yaml', '/v3/edit/:kind/i18n.:format', { kind: 'tours', format: 'yaml' }],
    ['/v3/edit/tours/i18nxyaml', '/v3/edit/:kind/:id', { kind: 'tours', id: 'i18nxyaml' }],
    ['/v3/edit/tours/i18n.', '/v3/edit/:kind/:id', { kind: 'tours', id: 'i18n.' }],
    ['/captures/1', '/captures/:id', { id: '1' }],
    ['/captures/1.svg', '/captures/:id.:format', { id: '1', format: 'svg' }],
    ['/captures/1.svg.html', '/captures/:id.:format', { id: '1', format: 'svg.html' }],
    ['/demo', '/demo', {}],
    ['/demo/', '/demo/*', { '*': '' }],
    ['/demo/a/b', '/demo/*', { '*': 'a/b' }],
    ['http://usher.example.com/v3/edit/urls?a', '/v3/edit/urls', {}],
  ])('matches %s with the route %s', (url, target, params) => {
    expect(find(url)).toEqual([target, params]);
  });

  it.each([
    ...['', '*', 'v3', '//', '/v3/edit/urls/', '/v3/edit//1', '/V3/edit/urls', '/v3', '/v3/edit', '/x'],
    ...['/v3/edit/tours/%', '/v3/edit/tours/%ff', '/files/a/b', `/files/${'x'.repeat(501)}`, '/__proto__', '/:id'],
    ...['http://usher.example.com', 'ftp://usher.example.com/v3/edit/urls'],
  ])('finds no route for %j', (url) => {
    expect(find(url)).toBeUndefined();
  });

  it('finds only routes of the method', () => {
    expect(find('/v3/edit/urls', 'POST')).toEqual(['create', {}]);
    expect(find('/v3/edit/urls/1', 'POST')).toBeUndefined();
    expect(find('/v3/edit/urls', 'PUT')).toBeUndefined();
    expect(find('/v3/edit/urls', 'constructor')).toBeUndefined();
  });

  it('matches only the allowed values of a limited parameter', () => {
    expect(find('/among/two/3', 'PUT')).toEqual(['/among/:word/:id', { word: 'two', id: '3' }]);
    for (const word of ['three', 'One', 'ones', 'one|two', '', '%0Aone'])
      expect(find(`/among/${word}/3`, 'PUT')).toBeUndefined();
  });

  it('lists all methods of a path', () => {
    expect(router.methodsAt('/v3/edit/urls?a')).toEqual(['GET', 'POST']);
    expect(router.methodsAt('/among/one/3')).toEqual(['PUT']);
    expect(router.methodsAt('/among/four/3')).toEqual([]);
    expect(router.methodsAt('/v3/edit/tours/%ff')).toEqual([]);
  });
});
