import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { normalizePagePath } from './interaction-finding.ts';

const pathOf = (tail: string) => normalizePagePath(`https://app.example.com${tail}`);

describe('normalizePagePath', () => {
  it('removes the host, the query and the hash', () => {
    expect(pathOf('/settings/team?tab=billing#top')).toBe('/settings/team');
    expect(pathOf('')).toBe('/');
  });

  it('keeps the route after the hash', () => {
    expect(pathOf('/app#/projects?page=2')).toBe('/app#/projects');
    expect(pathOf('/app/#!/projects/7')).toBe('/app/#!/projects/*');
  });

  it('replaces IDs and emails', () => {
    expect(pathOf('/projects/4711/edit')).toBe('/projects/*/edit');
    expect(pathOf('/users/ann@example.com')).toBe('/users/*');
    expect(pathOf('/users/ann%40example.com')).toBe('/users/*');
    expect(pathOf('/o/5fb70dcbc39330000325a818')).toBe('/o/*');
    expect(pathOf('/o/6ba7b810-9dad-11d1-80b4-00c04fd430c8')).toBe('/o/*');
    expect(pathOf('/invites/Cf51yrKvAS1a2MLiLlUoG9hy')).toBe('/invites/*');
  });

  it('keeps words, also with digits', () => {
    for (const path of ['/v2/getting-started', '/reports/q1-2029-summary', '/deadbeef', '/decade/facade'])
      expect(pathOf(path)).toBe(path);
  });

  it('returns a short path for every address that has one', () => {
    fc.assert(
      fc.property(fc.webUrl({ withFragments: true, withQueryParameters: true }), (href) => {
        const path = normalizePagePath(href);
        expect(path).toMatch(/^\//);
        expect(path?.length).toBeLessThanOrEqual(200);
      }),
    );
    expect(pathOf(`/${'x'.repeat(500)}`)).toHaveLength(200);
    expect(normalizePagePath('nowhere')).toBeUndefined();
  });
});
