import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { QueryClient } from '@tanstack/react-query';
import { describe, expect, it } from 'vitest';
import { invalidate, keyOf, nounOf } from './nouns.ts';

const src = join(import.meta.dirname, '..');
const sources = readdirSync(src, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file) && !file.endsWith('.test.ts'))
  .map((file) => readFileSync(join(src, file), 'utf8'));
const everyMatch = (pattern: RegExp) => sources.flatMap((source) => [...source.matchAll(pattern)]);
const quoted = (list = '') => [...list.matchAll(/'([^']+)'/g)].map(([, one]) => one);

/** The nouns that keys of queries begin with: those of everything that the API lets the dashboard read, and of its own queries. */
const loaded = new Set([
  ...everyMatch(/^ {2}'(GET \/v3\/[^']+)'/gm).map(([, operation = '']) => nounOf(operation)),
  ...everyMatch(/\bkeyOf\('(\w+)'/g).map(([, noun]) => noun),
]);

describe('the nouns of requests that change something', () => {
  it.each(
    everyMatch(/\buseSend\('([^']+)'(?:, \[([^\]]*)\])?/g).map(([, operation = '', also]) => ({ operation, also })),
  )('are nouns of queries: $operation', ({ operation, also }) => {
    for (const noun of [nounOf(operation), ...quoted(also)]) expect(loaded).toContain(noun);
  });

  it('are nouns of queries wherever they are invalidated', () => {
    const nouns = everyMatch(/\binvalidate\(client, ([^)]*)\)/g).flatMap(([, list]) => quoted(list));
    expect(nouns.length).toBeGreaterThan(20);
    for (const noun of nouns) expect(loaded).toContain(noun);
  });
});

describe('invalidate', () => {
  it('loads again what was loaded about a noun, and nothing else', async () => {
    const client = new QueryClient();
    const keys = [keyOf('urls', 'all'), keyOf('url_groups'), keyOf('unpublished', 'a')];
    for (const key of keys) client.setQueryData(key, 1);
    await invalidate(client, 'urls', 'unpublished');
    expect(keys.map((key) => client.getQueryState(key)?.isInvalidated)).toEqual([true, false, true]);
  });

  it('takes only nouns that something is loaded about', () => {
    // @ts-expect-error There is no list of events.
    expect(keyOf('events')).toEqual(['events']);
    // @ts-expect-error A misspelled noun.
    expect(keyOf('experience')).toEqual(['experience']);
  });
});
