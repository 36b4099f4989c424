import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { ensurePostgres } from './postgres.mjs';

/*
 * npm test                            everything, on both engines
 * npm test -- --engine sqlite         without PostgreSQL
 * npm test -- server/src/features     what vitest takes is passed on
 * npm run schema                      writes the committed schemas anew
 */
const { values, tokens } = parseArgs({
  strict: false,
  tokens: true,
  options: { engine: { type: 'string' }, 'update-schema': { type: 'boolean' } },
});
if (values.engine && !['sqlite', 'postgres'].includes(String(values.engine))) {
  console.error(`--engine must be sqlite or postgres, not ${values.engine}`);
  process.exit(2);
}
if (values.engine !== 'sqlite' && !process.env.TEST_DATABASE_URL) {
  try {
    ensurePostgres();
  } catch (error) {
    console.error(/** @type {Error} */ (error).message);
    process.exit(1);
  }
}

const own = new Set(['engine', 'update-schema']);
const taken = new Set(
  tokens.flatMap((token) =>
    token.kind === 'option' && own.has(token.name)
      ? [token.index, ...(token.inlineValue === false ? [token.index + 1] : [])]
      : [],
  ),
);
const passedOn = process.argv.slice(2).filter((_, index) => !taken.has(index));
const projects = values.engine ? ['--project', 'domain', '--project', String(values.engine)] : [];
const files = values['update-schema'] ? ['server/test/schema.test.ts'] : [];
const env = { ...process.env, ...(values['update-schema'] && { USHER_UPDATE_SCHEMA: '1' }) };

const { status } = spawnSync('npx', ['vitest', 'run', ...projects, ...files, ...passedOn], { stdio: 'inherit', env });
process.exit(status ?? 1);
