import { readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { routes } from '../../server/src/app.ts';
import { describeApi } from '../../server/src/http/openapi.ts';
import { writeApiSchema } from './api-schema.ts';

it('has committed types that equal those of the API', () => {
  const document = describeApi(routes, { version: '0', serverUrl: 'http://127.0.0.1', byKind: false });
  const types = writeApiSchema(document as Parameters<typeof writeApiSchema>[0]);
  const file = new URL('../src/api/schema.ts', import.meta.url);
  if (process.env.USHER_UPDATE_SCHEMA) writeFileSync(file, types);
  expect(types, 'run `npm run schema` and commit the result').toBe(readFileSync(file, 'utf8'));
});
