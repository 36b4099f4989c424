import { readFile } from 'node:fs/promises';
import { transform } from 'esbuild';

/** Imports style sheets as minified text. @type {import('esbuild').Plugin} */
export const cssText = {
  name: 'css-text',
  setup: ({ onLoad }) =>
    onLoad({ filter: /\.css$/ }, async ({ path }) => {
      const { code } = await transform(await readFile(path, 'utf8'), { loader: 'css', minify: true });
      // The space after the name of a custom property has no meaning.
      return { contents: code.trim().replace(/(--[\w-]+): /g, '$1:'), loader: 'text' };
    }),
};
