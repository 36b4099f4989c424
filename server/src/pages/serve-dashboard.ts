import { randomBytes } from 'node:crypto';
import { extname } from 'node:path';
import { noEndpoint } from '../errors.ts';
import { encodedResponse } from '../http/encoded-response.ts';
import type { Handler } from '../http/endpoint.ts';
import type { HttpRequest } from '../http/http-request.ts';
import { responseWith } from '../http/http-response.ts';
import { queryOf } from '../http/query-string.ts';
import type { HttpServer } from '../http/server.ts';
import { type DashboardFiles, readDashboardFiles } from './dashboard-files.ts';

const mediaTypes: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** The dashboard: one page for all addresses below `/app`, which its own router fills, and the files that it loads. */
export function addDashboard(server: HttpServer, folder: string, handleRoot: Handler): void {
  let built: DashboardFiles | undefined;
  const files = () => {
    built ??= readDashboardFiles(folder);
    return built;
  };
  const servePage: Handler = async () => {
    const page = files()?.page;
    if (page === undefined) return responseWith(503, NOT_BUILT, { 'content-type': 'text/plain; charset=utf-8' });
    const nonce = randomBytes(16).toString('base64');
    return responseWith(200, page.replace('CSP_NONCE', nonce), pageHeaders(nonce));
  };

  server.add(['GET'], '/', (request) => (isForBrowser(request) ? servePage(request) : handleRoot(request)));
  server.add(['GET'], '/app', servePage, { compress: true });
  server.add(['GET'], '/app/*', servePage, { compress: true });
  server.add(['GET'], '/app/assets/:name', async (request) => {
    const { name = '' } = request.params;
    const asset = files()?.assets.get(name);
    const type = mediaTypes[extname(name)];
    if (!asset || !type) throw noEndpoint();
    return encodedResponse(request, asset, { ...assetHeaders, 'content-type': type });
  });
}

const NOT_BUILT = 'The dashboard is not built: run `npm run build` and start the server again.\n';

/** Browsers name HTML first. API clients do not, or send a secret. */
function isForBrowser({ headers, url, hasBody }: HttpRequest): boolean {
  if (headers['x-account-secret'] !== undefined || hasBody) return false;
  return /\btext\/html\b/.test(headers.accept ?? '') && queryOf(url).account_secret === undefined;
}

/**
 * Only the files of this server run, no code in texts of customers does, and no other site can show the dashboard in a frame. The
 * nonce is for two style elements that react-aria inserts.
 */
function pageHeaders(nonce: string): Record<string, string> {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self'",
    "connect-src 'self'",
    // The preview of an Experience, see serve-preview.ts.
    "frame-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    // The text editor reads pasted HTML in a document without scripts and network, and keeps only what Markdown can say.
    'trusted-types ProseMirrorClipboard',
  ];
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy.join('; '),
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), geolocation=(), microphone=()',
    'x-frame-options': 'DENY',
    vary: 'accept',
  };
}

/** The name of a file changes with its content. */
const assetHeaders = {
  'cache-control': 'public, max-age=31536000, immutable',
  'cross-origin-resource-policy': 'same-origin',
};
