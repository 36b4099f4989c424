import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Request } from 'playwright-core';

const program = fileURLToPath(new URL('match-requests.mjs', import.meta.url));
/** How extensions call what Playwright calls otherwise. */
const types: Record<string, string> = { document: 'main_frame', fetch: 'xmlhttprequest', xhr: 'xmlhttprequest' };

export interface SentRequest {
  url: string;
  type: string;
  method: string;
  page: string;
}

export function describeRequest(request: Request): SentRequest {
  const type = request.resourceType();
  return {
    ...{ url: request.url(), type: types[type] ?? type, method: request.method() },
    page: request.frame().url(),
  };
}

/** Returns the requests that the extension in a folder would block, each with the filter. */
export function findBlocked(folder: string, requests: SentRequest[]): { request: SentRequest; filter: string }[] {
  const output = execFileSync('node', [program, folder, JSON.stringify(requests)], { encoding: 'utf8' });
  const { filters, results }: { filters: number; results: (string | null)[] } = JSON.parse(
    output.slice(output.lastIndexOf('\n', output.length - 2) + 1),
  );
  if (filters < 50_000) throw new Error(`The package has only ${filters} filters`);
  return requests.flatMap((request, index) => {
    const filter = results[index];
    return filter ? [{ request, filter }] : [];
  });
}
