import { readFileSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { writeApiSchema, writeWebhookSchema } from '../../dashboard/test/api-schema.ts';
import { routes } from '../../server/src/app.ts';
import { describeApi, isForPersons } from '../../server/src/http/openapi.ts';

it('has committed types that equal those of the API', () => {
  const forSecrets = routes.filter((route) => !isForPersons(route));
  const document = describeApi(forSecrets, { version: '0', serverUrl: 'http://127.0.0.1' }) as Parameters<
    typeof writeApiSchema
  >[0];
  const types = `${writeApiSchema(document)}\n${writeWebhookSchema(document)}`;
  const file = new URL('../src/api.ts', import.meta.url);
  if (process.env.USHER_UPDATE_SCHEMA) writeFileSync(file, types);
  expect(types, 'run `npm run schema` and commit the result').toBe(readFileSync(file, 'utf8'));
});
