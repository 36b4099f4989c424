import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { createServer as createTcpServer, type Socket } from 'node:net';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { createPolicy } from './policy.ts';
import { snippetOf, strictSnippetOf, type UsherAddress } from './snippet.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const contentTypes: Record<string, string> = {
  ...{ '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.css': 'text/css' },
  ...{ '.json': 'application/json', '.png': 'image/png', '.woff2': 'font/woff2' },
};
const folders: Record<string, string> = {
  swagger: 'node_modules/swagger-ui-dist',
  'excalidraw-assets': 'node_modules/@excalidraw/excalidraw/dist/prod',
};

/** Serves the applications that are made of files, with the snippet in their pages. */
export async function startPages(usher: UsherAddress) {
  const bundles = await bundlePages();
  const hanging = await startHangingServer();
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://page');
    // With `server=hanging`, the page has the address of a server that accepts connections and never responds.
    const address = searchParams.get('server') === 'hanging' ? { ...usher, url: hanging.url } : usher;
    const policy = createPolicy(searchParams.get('policy'), usher.url);
    const snippet = policy ? strictSnippetOf(address, policy.nonce) : snippetOf(address);
    const type = contentTypes[extname(pathname) || '.html'] ?? 'application/octet-stream';
    try {
      const content = bundles.get(pathname) ?? (await readPage(pathname, snippet));
      response.writeHead(200, { 'Content-Type': type, ...policy?.headers }).end(content);
    } catch {
      response.writeHead(404).end();
    }
  });
  const url = await listen(server);
  return {
    url: `${url}/`,
    stop: async () => {
      hanging.stop();
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
}

async function bundlePages(): Promise<Map<string, Uint8Array>> {
  const names = [
    'excalidraw.jsx',
    'radix.jsx',
    'mui.jsx',
    'headless.js',
    'vue.js',
    'material.js',
    'codemirror.js',
    'turbo.js',
  ];
  const { outputFiles } = await build({
    ...{ bundle: true, write: false, format: 'esm', jsx: 'automatic', minify: true, logLevel: 'error' },
    absWorkingDir: join(root, 'pages'),
    entryPoints: names,
    outdir: '/bundles',
    loader: { '.woff2': 'dataurl' },
    conditions: ['production'],
    // Vue compiles the template in the page.
    alias: { vue: 'vue/dist/vue.esm-bundler.js' },
    define: {
      'process.env.NODE_ENV': '"production"',
      'process.env.IS_PREACT': '"false"',
      'import.meta.env': '{}',
      ...{ __VUE_OPTIONS_API__: 'true', __VUE_PROD_DEVTOOLS__: 'false' },
      __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'false',
    },
  });
  return new Map(outputFiles.map(({ path, contents }) => [path, contents]));
}

async function readPage(pathname: string, snippet: string): Promise<string | Buffer> {
  const [, folder = '', ...rest] = normalize(pathname).split('/');
  if (pathname === '/swagger/openapi.json') return JSON.stringify(describeApi());
  if (folders[folder]) return readFolder(join(folders[folder], rest.join('/') || 'index.html'), snippet);
  if (folder === 'turbo') return turboPage(rest[0] || 'one', snippet);
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${folder}</title><link rel="icon" href="data:,">
${snippet}<link rel="stylesheet" href="/bundles/${folder}.css"></head>
<body><div id="root"></div><script type="module" src="/bundles/${folder}.js"></script></body></html>`;
}

async function readFolder(path: string, snippet: string): Promise<string | Buffer> {
  const content = await readFile(join(root, path));
  if (path.endsWith('swagger-initializer.js'))
    return content.toString().replace(/url: ".*"/, 'url: "openapi.json", deepLinking: true');
  return path.endsWith('/index.html') ? content.toString().replace('</head>', `${snippet}</head>`) : content;
}

/** An API for Swagger UI to show, long enough to scroll. */
function describeApi(): object {
  const operations = (tag: string) => ({ get: { tags: [tag], responses: { 200: { description: 'OK' } } } });
  const paths = ['orders', 'products'].flatMap((tag) =>
    Array.from({ length: 15 }, (_, index) => [`/${tag}/${index}`, operations(tag)]),
  );
  return {
    openapi: '3.0.0',
    info: { title: 'Shop', version: '1.0.0' },
    paths: Object.fromEntries(paths),
    // With this, the page has a button to sign in.
    components: { securitySchemes: { key: { type: 'apiKey', name: 'X-Key', in: 'header' } } },
  };
}

function turboPage(name: string, snippet: string): string {
  const other = name === 'one' ? 'two' : 'one';
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Page ${name}</title><link rel="icon" href="data:,">
${snippet}<script type="module" src="/bundles/turbo.js"></script></head>
<body><h1 id="title-${name}">Page ${name}</h1><a id="link" href="/turbo/${other}">Go to page ${other}</a><input id="field">
${'<p class="row">A row of the page</p>'.repeat(40)}</body></html>`;
}

async function startHangingServer() {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket.on('error', () => {}));
  });
  const url = await listen(server as Server);
  return {
    url,
    stop: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  return `http://127.0.0.1:${(server.address() as { port: number }).port}`;
}
