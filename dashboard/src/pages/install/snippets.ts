import reactHook from '../../../../examples/react/src/use-usher.js?raw';
import uidHashJava from '../../../../examples/sign-users/UidHash.java?raw';
import uidHashPhp from '../../../../examples/sign-users/uid_hash.php?raw';
import uidHashPython from '../../../../examples/sign-users/uid_hash.py?raw';
import uidHashRuby from '../../../../examples/sign-users/uid_hash.rb?raw';
import uidHashNode from '../../../../examples/sign-users/uid-hash.js?raw';
import vueHook from '../../../../examples/vue/src/use-usher.js?raw';
import loadSnippet from '../../../../script/src/load-snippet.js?raw';
import queueSnippet from '../../../../script/src/snippet.js?raw';

/*
 * The page shows the code of the script and of the examples, which tests run. Only the address of the server and the
 * token of the account are filled in.
 */

export const hooks = { react: reactHook.trimEnd(), vue: vueHook.trimEnd() };

export const signing = [
  { id: 'node', label: 'Node', code: uidHashNode.trimEnd() },
  { id: 'python', label: 'Python', code: uidHashPython.trimEnd() },
  { id: 'ruby', label: 'Ruby', code: uidHashRuby.trimEnd() },
  { id: 'php', label: 'PHP', code: uidHashPhp.trimEnd() },
  { id: 'java', label: 'Java', code: uidHashJava.trimEnd() },
];

const EXAMPLE_URL = 'https://usher.example.com/script/ACCOUNT_TOKEN.js';

/** Two elements for the head of every page, which are enough to identify the user. */
export function shortSnippet(server: string, token: string): string {
  const url = `${server}/script/${token}.js`.replaceAll('"', '%22');
  return `<script>usherSettings = { uid: '18821', first_name: 'Ann', plan: 'pro' }</script>\n<script async src="${url}"></script>`;
}

/** The element for the head of every page, with a queue for what the page calls before the script has loaded. */
export function htmlSnippet(server: string, token: string): string {
  const url = `${server}/script/${token}.js`.replaceAll("'", '%27');
  const lines = `${queueSnippet}${loadSnippet.replace(EXAMPLE_URL, () => url)}`.trimEnd().split('\n');
  return ['<script>', ...lines.map((line) => `  ${line}`), '</script>'].join('\n');
}

/** The settings that the examples with a bundler read. */
export function envFile(server: string, token: string): string {
  return `VITE_USHER_URL=${server}\nVITE_USHER_TOKEN=${token}`;
}

/** What a content security policy must allow. */
export function policyLines(server: string): string {
  const { origin } = new URL(server);
  return `script-src 'self' ${origin};\nconnect-src 'self' ${origin};\nimg-src 'self' https:;`;
}

export const trustedTypesLine = "require-trusted-types-for 'script'; trusted-types usher;";
