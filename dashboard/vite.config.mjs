import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { englishOnly } from './english-only.mjs';

/**
 * The texts of a page are loaded with the page: one file lists all of them, so the bundler believes that every page needs them. The
 * frame around the pages uses these. The first paint waits for the theme, which must not wait for the rest.
 */
const staysApart = /\/messages\/en\/(?!titles|environments|forms|sample-data)|(apply|saved)-theme\.ts$/;

/** `npm run dev` in this folder serves the sources and passes requests to a server that runs at its usual port. */
export default defineConfig(({ mode }) => ({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/app/',
  plugins: [react(), tailwindcss(), englishOnly(), themeFirst(), scriptStyles()],
  // The page that shows every part of the design system is not in production builds.
  define: { __HAS_PARTS_PAGE__: JSON.stringify(mode !== 'production') },
  build: {
    // The first versions of browsers that know `light-dark()`.
    target: ['chrome123', 'edge123', 'firefox121', 'safari17.5'],
    // The policy of the page allows no `data:` addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // Kilobytes before compression. `build.mjs` has the budget.
    chunkSizeWarningLimit: 700,
    manifest: 'manifest.json',
    rolldownOptions: {
      output: {
        // What every page needs is one file. In 37 of them, it would be 18 KB larger once it is compressed.
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [{ name: 'shared', tags: ['$initial'], test: (id) => !staysApart.test(id) }],
        },
      },
    },
  },
  server: {
    proxy: Object.fromEntries(
      ['/v3', '/healthz', '/app/preview', '/script'].map((path) => [path, 'http://127.0.0.1:3400']),
    ),
  },
}));

/**
 * Adds the small script that applies the theme, for which the first paint waits, before all others.
 * @returns {import('vite').Plugin}
 */
function themeFirst() {
  const source = 'src/apply-theme.ts';
  let isBuild = false;
  return {
    name: 'usher-theme-first',
    configResolved: ({ command }) => {
      isBuild = command === 'build';
    },
    buildStart() {
      if (isBuild) this.emitFile({ type: 'chunk', id: source, name: 'apply-theme' });
    },
    transformIndexHtml: {
      order: 'post',
      handler: (_, { bundle = {} }) => {
        const built = Object.values(bundle).find(({ type, name }) => type === 'chunk' && name === 'apply-theme');
        const src = `/app/${built?.fileName ?? source}`;
        return [{ tag: 'script', attrs: { type: 'module', async: true, blocking: 'render', src }, injectTo: 'head' }];
      },
    },
  };
}

/**
 * Imports the style sheets of the script as text, as the script itself does. With another ending of the name, Vite does not add them
 * to the style sheets of the dashboard.
 * @returns {import('vite').Plugin}
 */
function scriptStyles() {
  return {
    name: 'usher-script-styles',
    enforce: 'pre',
    resolveId: (source, importer) =>
      source.endsWith('.css') && importer?.includes('/script/src/')
        ? `${resolve(dirname(importer), source)}.text`
        : undefined,
    load: (id) =>
      id.endsWith('.css.text') ? `export default ${JSON.stringify(readFileSync(id.slice(0, -5), 'utf8'))}` : undefined,
  };
}
