import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as text from '../../messages/text.ts';
import { envFile, hooks, htmlSnippet, policyLines, shortSnippet, signing, trustedTypesLine } from './snippets.ts';

const readRoot = (path: string) => readFileSync(new URL(`../../../../${path}`, import.meta.url), 'utf8');
const guide = readRoot('docs/guides/install-the-snippet.md');
const SERVER = 'https://usher.example.com';

describe('the code on the page', () => {
  it('is the snippet of the guide and of the README', () => {
    expect(guide).toContain(htmlSnippet(SERVER, 'ACCOUNT_TOKEN'));
    for (const page of [guide, readRoot('README.md')]) expect(page).toContain(shortSnippet(SERVER, 'ACCOUNT_TOKEN'));
  });

  it('has the server and the token of the reader', () => {
    const snippet = htmlSnippet('https://help.acme.test', 'their-token');
    expect(snippet).toContain("'https://help.acme.test/script/their-token.js'");
    expect(snippet).not.toMatch(/usher\.example\.com|ACCOUNT_TOKEN/);
    expect(envFile('https://help.acme.test', 'their-token')).toBe(
      'VITE_USHER_URL=https://help.acme.test\nVITE_USHER_TOKEN=their-token',
    );
  });

  it('cannot be broken out of by an address', () => {
    expect(shortSnippet('https://a.test/"$&', 'token')).toContain('src="https://a.test/%22$&/script/token.js"');
    expect(htmlSnippet("https://a.test/'$&", 'token')).toContain("'https://a.test/%27$&/script/token.js'");
  });

  it('is the same as in the guides', () => {
    const frameworks = readRoot('docs/guides/frameworks.md');
    for (const hook of Object.values(hooks)) expect(frameworks).toContain(hook);
    expect(frameworks).toContain(text.install.snippet.packageCommand);
    for (const { code } of signing) expect(guide).toContain(code);
    expect(guide).toContain(`${policyLines(SERVER)}\n${trustedTypesLine}`);
    for (const code of [text.install.identify.code, text.install.identify.clearCode, text.install.identity.pageCode])
      expect(guide).toContain(code);
  });
});
