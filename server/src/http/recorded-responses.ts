import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** What a real server has responded to the examples, by operation ID. `npm run schema` records it. */
export async function readResponses(docsFolder: string): Promise<Record<string, unknown>> {
  return JSON.parse(await readFile(join(docsFolder, 'reference', 'responses.json'), 'utf8'));
}
