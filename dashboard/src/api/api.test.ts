import { describe, expect, it } from 'vitest';
import { describeError, fieldErrors } from './describe-error.ts';
import { ApiError, CanceledError, ConnectionError } from './errors.ts';
import { nounOf } from './nouns.ts';
import { retryDelay } from './queries.ts';
import { requestOf } from './request-of.ts';
import { changedBy } from './writes.ts';

describe('requestOf', () => {
  it('puts params into the path, and the others into the query of GET', () => {
    const { url, init } = requestOf('GET /v3/edit/urls/{id}', { id: 'a/b', limit: 5, before: undefined });
    expect(url).toBe('/v3/edit/urls/a%2Fb?limit=5');
    expect(init.body).toBe(undefined);
  });

  it('puts the others into the body of a write', () => {
    const { url, init } = requestOf('PATCH /v3/edit/urls/{id}', { id: '1', enabled: 'on' });
    expect(url).toBe('/v3/edit/urls/1');
    expect(init).toMatchObject({ method: 'PATCH', body: '{"enabled":"on"}' });
  });

  it('has no query if there is nothing to send', () => {
    expect(requestOf('DELETE /v3/session', {}).url).toBe('/v3/session');
  });
});

it.each([
  ['GET /v3/edit/urls/{id}', 'urls'],
  ['GET /v3/analyze/profiles', 'profiles'],
  ['DELETE /v3/sessions/{id}', 'sessions'],
  ['GET /v3/session', 'session'],
  ['GET /v3/edit/{kind}/{id}/changes', 'kinds'],
])('finds the noun of %s', (operation, noun) => {
  expect(nounOf(operation)).toBe(noun);
});

it.each([
  ['PATCH /v3/edit/urls/{id}', { id: 'a' }, ['urls/a']],
  ['POST /v3/edit/urls/batch', { ids: ['a', 'b'] }, ['urls/a', 'urls/b']],
  ['PATCH /v3/edit/account', { name: 'Acme' }, ['account']],
])('knows what %s changes', (operation, params, changed) => {
  expect([...changedBy(operation, params)]).toEqual(changed);
});

describe('errors', () => {
  it('have times that people can read', () => {
    const error = new ApiError(409, {
      messages: ['Somebody changed it at 2029-01-02T03:04:05.678Z, after you saw it'],
    });
    expect(describeError(error)?.description).toMatch(/^Somebody changed it at [^TZ]*2029[^TZ]*, after you saw it\.$/);
  });

  it('say when to try again', () => {
    const error = new ApiError(429, { code: 429, messages: ['Too many'], wait: 12 }, 1000);
    expect(error.retryAt).toBe(13_000);
    expect(describeError(error)).toMatchObject({ title: 'Too many requests', retryAt: 13_000 });
    expect(retryDelay(0, error, 3000)).toBe(10_000);
  });

  it('need the password only if the server says so', () => {
    expect(new ApiError(403, { messages: ['x'], confirm: 'password' }).needsPassword).toBe(true);
    expect(new ApiError(403, { messages: ['x'] }).needsPassword).toBe(false);
  });

  it.each([
    [new ConnectionError('x'), 'The server cannot be reached'],
    [new ApiError(403, { messages: ['Viewers may only look'] }), 'You may not do this'],
    [new ApiError(404, { messages: [] }), 'This is gone'],
    [new ApiError(409, { messages: ['x'] }), 'This conflicts with what is there now'],
    [new ApiError(503, {}), 'The server cannot reach its database'],
    [new ApiError(507, { messages: ['x'] }), 'The disk of the server is nearly full'],
    [new ApiError(500, {}), 'This did not work'],
    [new TypeError('x'), 'This did not work'],
  ])('%s is described as "%s"', (error, title) => {
    const described = describeError(error);
    expect(described?.title).toBe(title);
    expect(described?.description).toMatch(/\.$/);
  });

  it('says nothing about what the person canceled', () => {
    expect(describeError(new CanceledError())).toBe(undefined);
  });

  it('show the messages about a field at that field, in the words of the form', () => {
    const error = new ApiError(422, { messages: ['`email` must be an email address', '`other` is wrong'] });
    expect(fieldErrors(error, { email: 'Email' })).toEqual({ email: 'Email must be an email address.' });
  });
});
