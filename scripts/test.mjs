import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { buildScriptIfNeeded } from '../server/build.js';
import { ensureChromium } from './chromium.mjs';
import { ensurePostgres } from './postgres.mjs';

/*
 * npm test                            everything, on both engines and in a browser
 * npm test -- --engine sqlite         without PostgreSQL
 * npm test -- --no-browser            without Chromium
 * npm test -- server/src/features     what vitest takes is passed on
 * npm run schema                      writes the committed schemas anew
 */
const { values, tokens } = parseArgs({
  strict: false,
  tokens: true,
  options: { engine: { type: 'string' }, 'no-browser': { type: 'boolean' }, 'update-schema': { type: 'boolean' } },
});
if (values.engine && !['sqlite', 'postgres'].includes(String(values.engine))) {
  console.error(`--engine must be sqlite or postgres, not ${values.engine}`);
  process.exit(2);
}
const engines = values.engine ? [String(values.engine)] : ['sqlite', 'postgres'];
const inBrowser = !values['no-browser'] && !values['update-schema'];
const env = { ...process.env, ...(values['update-schema'] && { USHER_UPDATE_SCHEMA: '1' }) };
try {
  if (engines.includes('postgres') && !process.env.TEST_DATABASE_URL) ensurePostgres();
  if (inBrowser) env.CHROMIUM_PATH = ensureChromium();
  await buildScriptIfNeeded();
} catch (error) {
  console.error(/** @type {Error} */ (error).message);
  process.exit(1);
}

const own = new Set(['engine', 'no-browser', 'update-schema']);
const taken = new Set(
  tokens.flatMap((token) =>
    token.kind === 'option' && own.has(token.name)
      ? [token.index, ...(token.inlineValue === false ? [token.index + 1] : [])]
      : [],
  ),
);
const passedOn = process.argv.slice(2).filter((_, index) => !taken.has(index));
const projects = ['domain', 'script', ...engines, ...(inBrowser ? ['browser'] : [])];
const files = values['update-schema'] ? ['server/test/schema.test.ts'] : [];
const asked = [...projects.flatMap((project) => ['--project', project]), ...files, ...passedOn];

const { status } = spawnSync('npx', ['vitest', 'run', ...asked], { stdio: 'inherit', env });
process.exit(status ?? 1);
