import { describe, expect, it } from 'vitest';
import * as text from '../messages/text.ts';
import { matchPage, toHref } from './match-pages.ts';

const page = 'https://app.example.com/settings/team';

describe('matching a page', () => {
  it('fits every page without a rule', () => {
    expect(matchPage([], page)).toEqual({ fits: true, by: undefined });
  });

  it('names the rule that fits', () => {
    const rules = [
      { url: '/home', match_type: 'simple' as const },
      { url: '/settings/*', match_type: 'simple' as const },
    ];
    expect(matchPage(rules, page)).toEqual({ fits: true, by: 1 });
    expect(matchPage(rules, 'https://app.example.com/')).toEqual({ fits: false, by: undefined });
  });

  it('names the rule that rules a page out', () => {
    const rules = [
      { url: '/settings/*', match_type: 'simple' as const },
      { url: '*/team', match_type: 'inverse_simple' as const },
    ];
    expect(matchPage(rules, page)).toEqual({ fits: false, by: 1 });
  });
});

it('completes what somebody types', () => {
  expect(toHref('/settings', 'app.example.com')).toBe('https://app.example.com/settings');
  expect(toHref('app.example.com/a', undefined)).toBe('https://app.example.com/a');
  expect(toHref('http://localhost:3000/a', 'x.com')).toBe('http://localhost:3000/a');
  expect(toHref('two words', 'x.com')).toBeUndefined();
  expect(toHref('javascript://alert(1)', 'x.com')).toBeUndefined();
  expect(toHref('', 'x.com')).toBeUndefined();
});

it('says one visit and one page in the singular', () => {
  const { pages, tester } = text.targeting;
  expect(pages.visits('acme.test', '1', true)).toBe('acme.test, 1 visit');
  expect(pages.visits('acme.test', '2', false)).toBe('acme.test, 2 visits');
  expect(tester.visitedOne(false)).toBe('Does not match the page that was visited');
});
