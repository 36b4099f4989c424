import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, startApi } from '../../test/api.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi({ inTest: false });
});
afterAll(() => api.stop());

const open = async (path: string) => {
  const { status, headers, text } = await api.get(path, { as: null });
  return { status, headers, text, policy: (headers.get('content-security-policy') ?? '').split('; ') };
};
const scriptsIn = (text: string) => [...text.matchAll(/src="\/script\/files\/(\w+)-/g)].map(([, name]) => name);

describe('the document of the preview', () => {
  it('has an origin of its own, runs only its own files, and sends nothing', async () => {
    const { status, headers, policy, text } = await open('/app/preview');
    const [, nonce = ''] = /nonce="([^"]+)"/.exec(text) ?? [];
    expect(status).toBe(200);
    expect(Buffer.from(nonce, 'base64')).toHaveLength(16);
    expect(policy).toEqual([
      'sandbox allow-scripts allow-forms',
      "default-src 'none'",
      `script-src 'nonce-${nonce}'`,
      'img-src http: https:',
      'media-src https:',
      "form-action 'none'",
      "base-uri 'none'",
      "frame-ancestors 'self'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ]);
    expect(headers.get('x-frame-options')).toBe('SAMEORIGIN');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('access-control-allow-origin')).toBe(null);
  });

  it('has a new nonce each time, and no inline script or style', async () => {
    const [one, two] = [await open('/app/preview'), await open('/app/preview')];
    expect(one.policy).not.toEqual(two.policy);
    expect(one.text).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\son\w+=|\sstyle=/);
  });

  it.each([
    ['', ['preview', 'renderer', 'media', 'tour_extras', 'questions', 'survey', 'launcher', 'tooltip', 'embed']],
    ['?kind=tour', ['preview', 'renderer', 'media', 'tour_extras']],
    ['?kind=survey', ['preview', 'renderer', 'media', 'tour_extras', 'questions', 'survey']],
    [
      '?kind="><script>',
      ['preview', 'renderer', 'media', 'tour_extras', 'questions', 'survey', 'launcher', 'tooltip', 'embed'],
    ],
    [
      '?kind=core',
      ['preview', 'renderer', 'media', 'tour_extras', 'questions', 'survey', 'launcher', 'tooltip', 'embed'],
    ],
  ])('loads the renderer and the kinds for "%s"', async (query, expected) => {
    const { text } = await open(`/app/preview${query}`);
    expect(scriptsIn(text)).toEqual(expected);
  });

  it('loads files that a document of another origin may load', async () => {
    const { text } = await open('/app/preview');
    for (const [, path = ''] of text.matchAll(/src="([^"]+)"/g)) {
      const { status, headers } = await api.get(path, { as: null });
      expect([path, status, headers.get('access-control-allow-origin')]).toEqual([path, 200, '*']);
    }
  });
});

describe('everything else', () => {
  it.each(['/app', '/app/', '/app/preview/x', '/app/experiences'])('cannot be shown in a frame: %s', async (path) => {
    const { headers, policy } = await open(path);
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(policy).toContain("frame-ancestors 'none'");
  });

  it('does not name the preview to the pages of users', async () => {
    const { text } = await api.get(`/script/${api.account.account_token}.js`, { as: null });
    expect(text).toContain('/script/files/renderer-');
    expect(text).not.toContain('preview');
  });
});
