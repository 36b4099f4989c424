import { readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { startApi } from './api.ts';
import { engine } from './engine.ts';

it('equals the committed schema after all migrations', async () => {
  const { app } = await startApi();
  const schema = await app.storage.dumpSchema();
  const file = new URL(`../src/db/schema.${engine}.sql`, import.meta.url);
  if (process.env.USHER_UPDATE_SCHEMA) writeFileSync(file, schema);
  expect(schema, 'run `npm run schema` and commit the result').toBe(readFileSync(file, 'utf8'));
});
