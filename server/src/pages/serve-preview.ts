import { randomBytes } from 'node:crypto';
import { experienceKinds, isOneOf } from '@usher/domain';
import { responseWith } from '../http/http-response.ts';
import { queryOf } from '../http/query-string.ts';
import type { HttpServer } from '../http/server.ts';
import type { ScriptFiles } from './script-files.ts';

/**
 * Serves the document in which the dashboard shows how an Experience looks: the script's own renderer, on a neutral
 * page. The document has an origin of its own, so what an author writes can reach neither the dashboard nor its cookie,
 * whatever the renderer does with it.
 */
export function addPreview(server: HttpServer, files: () => ScriptFiles | undefined): void {
  server.add(['GET'], '/app/preview', async ({ url }) => {
    const parts = files()?.parts;
    if (!parts) return responseWith(503, NOT_BUILT, { 'content-type': 'text/plain; charset=utf-8' });
    const nonce = randomBytes(16).toString('base64');
    return responseWith(200, documentOf(parts, queryOf(url).kind, nonce), headersOf(nonce));
  });
}

const NOT_BUILT = 'The script is not built: run `npm run build` and start the server again.\n';

/**
 * Builds a document that loads the renderer and one kind, or all kinds. A browser does not cache files for a document
 * with an origin of its own, so the document should load no more than it needs. The attribute `crossorigin` is needed
 * for `integrity`, because every file is of another origin here.
 */
function documentOf(parts: ScriptFiles['parts'], kind: unknown, nonce: string): string {
  const kinds = isOneOf(experienceKinds, kind) ? [kind] : experienceKinds;
  const names = new Set([
    'preview',
    'renderer',
    'media',
    'tour_extras',
    ...(kinds.includes('survey') ? (['questions'] as const) : []),
    ...kinds,
  ]);
  // The file of the renderer also contains tours.
  const files = new Map([...names].flatMap((name) => (parts[name] ? [[parts[name].path, parts[name].integrity]] : [])));
  const scripts = [...files].map(
    ([path, integrity]) =>
      `<script defer crossorigin nonce="${nonce}" src="${path}" integrity="${integrity}"></script>\n`,
  );
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Preview</title>
${scripts.join('')}</html>
`;
}

/**
 * Only the files of the document run, and nothing can be sent anywhere. Images and videos of authors are loaded, as on the pages
 * of users. The players of services are not.
 */
function headersOf(nonce: string): Record<string, string> {
  const policy = [
    // Surveys have forms. The script handles them, and the browser submits none of them.
    'sandbox allow-scripts allow-forms',
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    'img-src http: https:',
    'media-src https:',
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'self'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ];
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy.join('; '),
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=()',
    'x-frame-options': 'SAMEORIGIN',
  };
}
