import { join } from 'node:path';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Api, startApi } from '../../test/api.ts';
import { connectAssistant } from '../../test/mcp-client.ts';
import { root, runToEnd } from '../../test/run-process.ts';

let api: Api;
beforeAll(async () => {
  api = await startApi({ inTest: false });
});
afterAll(() => api.stop());

const start = (args: string[], env: Record<string, string>) =>
  new StdioClientTransport({
    command: process.execPath,
    args: [join(root, 'server/bin/usher.js'), 'mcp', ...args],
    env: { PATH: process.env.PATH ?? '', ...env },
  });

it('serves the tools of a running server on stdio', async () => {
  const { account_secret: ACCOUNT_SECRET } = api.account;
  const assistant = await connectAssistant(start(['--server', api.url], { ACCOUNT_SECRET }));
  expect(assistant.client.getInstructions()).toContain('authoring_guide');
  expect(await assistant.listTools()).toContain('publish');
  const made = await assistant.call('create_experience', {
    kind: 'tours',
    name: 'From stdio',
    steps: [{ title: 'Hi' }],
  });
  expect(made.body.tour).toMatchObject({ name: 'From stdio', state: 'draft' });
  const wrong = await assistant.call('get_experience', { id: 'f'.repeat(24) });
  expect([wrong.isError, wrong.body.code]).toEqual([true, 404]);
});

it('takes the server and the secret from the environment, and talks the newest protocol', async () => {
  const env = { USHER_URL: api.url, ACCOUNT_SECRET: api.account.account_secret };
  const assistant = await connectAssistant(start([], env), { versionNegotiation: { mode: 'auto' } });
  expect((await assistant.call('list_live')).isError).toBe(false);
});

it('says what is wrong before it serves', async () => {
  const wrong = await runToEnd(['mcp', '--server', api.url], { ACCOUNT_SECRET: 'wrong' });
  expect([wrong.code, wrong.out]).toEqual([1, '']);
  expect(wrong.err).toContain('This account secret is not valid');
  expect((await runToEnd(['mcp'], {})).err).toContain('ACCOUNT_SECRET');
  const gone = await runToEnd(['mcp', '--server', 'http://127.0.0.1:9'], { ACCOUNT_SECRET: 'any' });
  expect(gone.err).toContain('cannot be reached');
});
