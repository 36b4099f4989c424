import { describe, expect, it } from 'vitest';
import type { PageUrl } from '../wire.ts';
import { findAddress } from './match-page.ts';

describe('findAddress', () => {
  const from = 'https://app.example.com/a?b=c#d';

  it.each([
    ['/there', 'https://app.example.com/there'],
    ['?tab=x', 'https://app.example.com/a?tab=x'],
    ['#/b', 'https://app.example.com/a?b=c#/b'],
    ['other.example.com/x', 'https://other.example.com/x'],
    ['example.com', 'https://example.com/'],
    ['//example.com/x', 'https://example.com/x'],
    ['HTTP://example.com:8080/x', 'http://example.com:8080/x'],
  ])('resolves %s to %s', (url, address) => {
    expect(findAddress([{ url }], from)?.href).toBe(address);
    expect(findAddress([{ url, match_type: 'exact' }], from)?.href).toBe(address);
  });

  it.each<PageUrl[][]>([
    [[]],
    [[{ url: '/x/*' }]],
    [[{ url: '/x', match_type: 'regex' }]],
    [
      [
        { url: '/x', match_type: 'inverse_simple' },
        { url: '/x', match_type: 'inverse_exact' },
      ],
    ],
  ])('finds none in %j', (urls) => {
    expect(findAddress(urls, from)).toBeUndefined();
  });

  it('returns the first plain address', () => {
    expect(findAddress([{ url: '/x/*' }, { url: '/y' }, { url: '/z' }], from)?.pathname).toBe('/y');
  });
});
