import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { buildScriptIfNeeded } from '../server/build.js';
import { ensureChromium } from './chromium.mjs';
import { findFirefox } from './firefox.mjs';
import { installHostApps } from './host-apps.mjs';
import { findMemoryFolder } from './memory-folder.mjs';
import { ensurePostgres } from './postgres.mjs';

/*
 * npm test                            on both engines and in Chromium, with a few random runs of each property
 * npm test -- --quick                 SQLite only, without the slowest files: for the inner loop
 * npm test -- --rest                  what `npm test` leaves out
 * USHER_TEST_CI=1 npm test            what CI runs: some of the rest, too
 * npm run test:all                    everything, with five times the random runs and a new seed
 * npm test -- --engine sqlite         without PostgreSQL
 * npm test -- --no-browser            without Chromium and Firefox
 * npm test -- --hosts                 also inside of the applications of hostapps/, after all others
 * npm run test:hosts                  only inside of the applications of hostapps/
 * npm test -- server/src/features     passes all other arguments on to vitest
 * npm run schema                      writes the committed schema files, the types and the examples of the API
 */
/** @type {Record<string, { type: 'string' | 'boolean' }>} */
const options = {
  quick: { type: 'boolean' },
  rest: { type: 'boolean' },
  all: { type: 'boolean' },
  engine: { type: 'string' },
  'no-browser': { type: 'boolean' },
  'update-schema': { type: 'boolean' },
  hosts: { type: 'boolean' },
  'only-hosts': { type: 'boolean' },
};
const { values, tokens } = parseArgs({ strict: false, tokens: true, options });
if (values.engine && !['sqlite', 'postgres'].includes(String(values.engine))) {
  console.error(`--engine must be sqlite or postgres, not ${values.engine}`);
  process.exit(2);
}
const onlyHosts = values['only-hosts'];
const inHosts = onlyHosts || values.hosts;
const engines = onlyHosts
  ? []
  : values.engine
    ? [String(values.engine)]
    : values.quick
      ? ['sqlite']
      : ['sqlite', 'postgres'];
const inBrowser = !values['no-browser'] && !values['update-schema'] && !values.quick && !onlyHosts;
// A file that is named on the command line runs in every mode.
const named = tokens.some(({ kind }) => kind === 'positional');
const mode = values.quick ? 'quick' : values.rest ? 'rest' : values.all ? 'all' : 'default';
const withSlowBrowsers = inBrowser && (mode !== 'default' || named);
const firefox = withSlowBrowsers ? findFirefox() : undefined;
if (withSlowBrowsers && !firefox)
  console.log('Firefox is not installed here: its tests are left out. FIREFOX_PATH can name one that you have.');
const env = {
  ...process.env,
  USHER_TEST_MODE: mode,
  ...(named && { USHER_TEST_NAMED: '1' }),
  ...(firefox && { FIREFOX_PATH: firefox }),
};
env.TMPDIR ??= findMemoryFolder();
if (values['update-schema']) env.USHER_UPDATE_SCHEMA = '1';
if (mode === 'all') {
  env.USHER_SEED ??= String(randomInt(2 ** 31));
  console.log(
    `Random data uses the seed ${env.USHER_SEED}. To repeat this run: USHER_SEED=${env.USHER_SEED} npm run test:all`,
  );
}
try {
  if (engines.includes('postgres') && !process.env.TEST_DATABASE_URL) ensurePostgres();
  if (inBrowser || inHosts) env.CHROMIUM_PATH = ensureChromium();
  if (inHosts) installHostApps();
  await buildScriptIfNeeded();
} catch (error) {
  console.error(/** @type {Error} */ (error).message);
  process.exit(1);
}

const ownArguments = new Set(
  tokens.flatMap((token) =>
    token.kind === 'option' && Object.hasOwn(options, token.name)
      ? [token.index, ...(token.inlineValue === false ? [token.index + 1] : [])]
      : [],
  ),
);
const otherArguments = process.argv.slice(2).filter((_, index) => !ownArguments.has(index));
const projects = [
  ...(onlyHosts ? [] : ['domain', 'script', 'dashboard-unit', 'server']),
  ...engines,
  ...(inBrowser ? ['browser', 'dashboard'] : []),
  ...(firefox ? ['firefox'] : []),
  ...(withSlowBrowsers && engines.includes('postgres') ? ['dashboard-postgres'] : []),
  ...(withSlowBrowsers ? ['first-hour'] : []),
  ...(inHosts ? ['hosts'] : []),
];
const files = values['update-schema']
  ? ['schema', 'endpoints']
      .map((name) => `server/test/${name}.test.ts`)
      .concat('dashboard/test/api-schema.test.ts', 'client/test/api-types.test.ts')
  : [];
const vitestArguments = [...projects.flatMap((project) => ['--project', project]), ...files, ...otherArguments];

const { status } = spawnSync('npx', ['vitest', 'run', ...vitestArguments], { stdio: 'inherit', env });
process.exit(status ?? 1);
