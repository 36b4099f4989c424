import { describe, expect, it } from 'vitest';
import type { PageUrl } from './kind.ts';
import { addressIn } from './urls.ts';

describe('the address of a step', () => {
  const from = 'https://app.example.com/a?b=c#d';

  it.each([
    ['/there', 'https://app.example.com/there'],
    ['?tab=x', 'https://app.example.com/a?tab=x'],
    ['#/b', 'https://app.example.com/a?b=c#/b'],
    ['other.example.com/x', 'https://other.example.com/x'],
    ['example.com', 'https://example.com/'],
    ['//example.com/x', 'https://example.com/x'],
    ['HTTP://example.com:8080/x', 'http://example.com:8080/x'],
  ])('is %s', (url, address) => {
    expect(addressIn([{ url }], from)?.href).toBe(address);
    expect(addressIn([{ url, match_type: 'exact' }], from)?.href).toBe(address);
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
  ])('is not in %j', (urls) => {
    expect(addressIn(urls, from)).toBeUndefined();
  });

  it('is the first of several', () => {
    expect(addressIn([{ url: '/x/*' }, { url: '/y' }, { url: '/z' }], from)?.pathname).toBe('/y');
  });
});
