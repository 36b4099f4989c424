// Fills an empty installation with users and what they have done, to look at it or to measure with other tools.
//
// node bench/fill.mjs --profiles 20000 FOLDER            a new folder with a SQLite database
// node bench/fill.mjs --profiles 20000 postgres://…      an empty PostgreSQL database; the master key goes to the folder usher-data
//
// Afterwards start it with USHER_DATA=FOLDER npm start, or with DATABASE_URL as well. It prints the secret of the account.
import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { buildIfNeeded } from '../server/build.js';
import { Cleanup } from './cleanup.mjs';
import { createInstallation } from './installation.mjs';
import { SECRET } from './servers.mjs';
import { storeAt } from './store.mjs';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { profiles: { type: 'string', default: '1000000' }, quick: { type: 'boolean', default: false } },
});
const [place] = positionals;
const profiles = Number(values.profiles);
if (!place || !(profiles >= 1000)) {
  console.error('usage: node bench/fill.mjs [--profiles 1000000] FOLDER|postgres://…   (1000 profiles at least)');
  process.exit(2);
}
const isPostgres = /^postgres(ql)?:/.test(place);
const folder = resolve(isPostgres ? 'usher-data' : place);
mkdirSync(folder, { recursive: true });
await buildIfNeeded();
const cleanup = new Cleanup();
/** @type {import('./harness.mjs').Bench} */
const bench = {
  engine: isPostgres ? 'postgres' : 'sqlite',
  quick: values.quick,
  folder,
  cleanup,
  postgres: () => Promise.reject(new Error('The address of the database is given')),
  note: (text) => process.stderr.write(`  ${text}\n`),
};
try {
  await createInstallation(bench, storeAt(folder, isPostgres ? place : undefined), profiles);
  console.log(`The secret of the account is ${SECRET}`);
} finally {
  await cleanup.run();
}
