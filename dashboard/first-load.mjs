import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * What a first visit of each page loads as JavaScript, in kilobytes of brotli, largest first. A tab is loaded together with the page
 * that it is on. Parts such as dialogs are loaded when they are opened.
 * @param {string} folder of the built dashboard
 */
export function firstLoads(folder) {
  /** @type {Record<string, { file: string, isDynamicEntry?: boolean, imports?: string[] }>} */
  const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));
  const lazy = Object.keys(manifest).filter((key) => manifest[key]?.isDynamicEntry);
  const pages = lazy.filter((key) => /^src\/pages\/.*-page\.tsx$/.test(key));
  const tabs = lazy.filter((key) => /^src\/pages\/experiences\/.*-tab\.tsx$/.test(key));
  const sizeOf = (/** @type {string[]} */ ...keys) => {
    const loaded = new Set();
    const add = (/** @type {string} */ key) => {
      const chunk = manifest[key];
      if (!chunk || loaded.has(chunk.file)) return;
      loaded.add(chunk.file);
      for (const one of chunk.imports ?? []) add(one);
    };
    for (const key of ['index.html', ...keys]) add(key);
    return [...loaded].reduce((sum, file) => sum + statSync(join(folder, `${file}.br`)).size, 0) / 1024;
  };
  const contentTab = ['src/pages/experiences/experience-page.tsx', 'src/pages/experiences/content/content-tab.tsx'];
  const named = (/** @type {string} */ key) => key.replace('src/pages/', '').replace('.tsx', '');
  return {
    shared: sizeOf(),
    /** What the text editor adds to the tab that shows it. */
    textEditor: sizeOf(...contentTab, 'src/text-editor/text-editor.tsx') - sizeOf(...contentTab),
    pages: [
      ...pages.map((key) => ({ page: named(key), kilobytes: sizeOf(key) })),
      ...tabs.map((key) => ({
        page: named(key),
        kilobytes: sizeOf('src/pages/experiences/experience-page.tsx', key),
      })),
    ].sort((a, b) => b.kilobytes - a.kilobytes),
  };
}
