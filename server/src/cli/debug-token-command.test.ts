import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Api, startApi } from '../../test/api.ts';
import { newUid, openDomain, PAGE, visit } from '../../test/visiting.ts';
import { runCommand } from './cli.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi({ inTest: false });
  await openDomain(api);
});
afterAll(() => api.stop());

async function run(args: string[], env: Record<string, string> = {}) {
  const output = { out: '', err: '' };
  const settings = { USHER_URL: api.url, ACCOUNT_SECRET: api.account.account_secret, ...env };
  const code = await runCommand(['debug-token', ...args], settings, {
    print: (text) => {
      output.out += text;
    },
    printError: (text) => {
      output.err += text;
    },
    untilStopped: async () => {},
  });
  return { code, ...output };
}

describe('usher debug-token', () => {
  it('prints the call with a token that works', async () => {
    const { code, out, err } = await run(['--ttl', '60']);
    expect([code, err]).toEqual([0, '']);
    const [, debug_token] = /^usher\.debug\("([^"]+)"\)\n\nIt expires at [\dT:.-]+Z\.\n$/.exec(out) ?? [];
    const visit_token = (await visit(api, { uid: newUid() })).body.visit.token;
    const params = { visit_token, debug_token, href: PAGE };
    expect((await api.post('/v3/observe/explanations', params, { as: null })).status).toBe(200);
  });

  it('prints JSON with --json', async () => {
    const { out } = await run(['--json']);
    expect(JSON.parse(out)).toEqual({ token: expect.stringMatching(/^debug\./), expires_at: expect.any(String) });
  });

  it('prints what the server rejects', async () => {
    const tooLong = await run(['--ttl', '90000']);
    expect([tooLong.code, tooLong.err]).toEqual([1, expect.stringContaining('`ttl` must be the seconds until')]);
    const wrong = await run([], { ACCOUNT_SECRET: 'wrong' });
    expect([wrong.code, wrong.err]).toEqual([1, expect.stringMatching(/^usher: .*secret/)]);
  });

  it('asks for the secret and for a server with an address', async () => {
    const without = await run([], { ACCOUNT_SECRET: '' });
    expect([without.code, without.err]).toEqual([2, expect.stringContaining('ACCOUNT_SECRET')]);
    expect((await run(['--server', 'nowhere'])).code).toBe(2);
  });
});
