import { fileURLToPath } from 'node:url';
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { englishOnly } from './english-only.mjs';

/** `npm run dev` in this folder serves the sources and passes requests to a server that runs at its usual port. */
export default defineConfig(({ mode }) => ({
  root: fileURLToPath(new URL('.', import.meta.url)),
  base: '/app/',
  plugins: [react(), tailwindcss(), englishOnly(), paintOnce()],
  // The page that shows every part of the design system is not in production builds.
  define: { __HAS_PARTS_PAGE__: JSON.stringify(mode !== 'production') },
  build: {
    // The first versions of browsers that know `light-dark()`.
    target: ['chrome123', 'edge123', 'firefox121', 'safari17.5'],
    // The policy of the page allows no `data:` addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    manifest: 'manifest.json',
  },
  server: {
    proxy: Object.fromEntries(
      ['/v3', '/healthz', '/app/preview', '/script'].map((path) => [path, 'http://127.0.0.1:3400']),
    ),
  },
}));

/**
 * The first paint waits for the script, which applies the theme that was chosen: nothing flashes in the colors of the system.
 * @returns {import('vite').Plugin}
 */
function paintOnce() {
  return {
    name: 'usher-paint-once',
    transformIndexHtml: {
      order: 'post',
      handler: (html) => html.replace('<script type="module"', '<script type="module" blocking="render"'),
    },
  };
}
