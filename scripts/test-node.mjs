import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/*
 * npm run test:node -- 24              the quick tests with another version of Node, which npm downloads
 * npm run test:node -- 22 server/src   passes all other arguments on to `npm test -- --quick`
 */
const [version = '', ...others] = process.argv.slice(2);
if (!/^\d+(\.\d+){0,2}$/.test(version)) {
  console.error('Give a version of Node, such as: npm run test:node -- 24');
  process.exit(2);
}
const test = fileURLToPath(new URL('./test.mjs', import.meta.url));
// npx puts this Node first in the PATH, so that everything the tests start uses it, too.
const args = ['--yes', '--package', `node@${version}`, '--', 'node', test, '--quick', ...others];
const { status } = spawnSync('npx', args, { stdio: 'inherit' });
process.exit(status ?? 1);
