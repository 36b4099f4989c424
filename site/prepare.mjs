// Copies the pages of the site into .pages: the guides of docs/, and five files of other folders. Links out of them become plain text,
// and decision records stay in the repository.
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';

const root = dirname(import.meta.dirname);
const pages = join(import.meta.dirname, '.pages');
const leftOut = /^docs\/(contract|decisions|reference)\//;
/** Pages of other folders, by their path in the repository. */
const others = {
  'README.md': 'start.md',
  'SECURITY.md': 'security.md',
  'CHANGELOG.md': 'changelog.md',
  'client/README.md': 'client.md',
  'playwright/README.md': 'playwright.md',
};

const guides = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.md'))
  .map((name) => `docs/${name.replaceAll('\\', '/')}`)
  .filter((path) => !leftOut.test(path));
/** Where each file of the repository is on the site. */
const places = new Map([
  ...guides.map((path) => [path, path.slice('docs/'.length).replace('README.md', 'contents.md')]),
  ...Object.entries(others),
]);

/**
 * @param {string} from the path of the page in the repository
 * @param {string} text
 */
function rewriteLinks(from, text) {
  const place = posix.dirname(places.get(from) ?? '');
  return text.replace(/(!?)\[((?:[^\][]|\[[^\]]*\])*)\]\(([^)\s]+)\)/g, (whole, picture, label, href) => {
    if (/^(https?:|mailto:|#|\/)/.test(href)) return whole;
    const [path, fragment] = href.split('#');
    const target = posix.join(posix.dirname(from), path);
    if (picture) return `![${label}](${posix.relative(place, target.replace('docs/', ''))})`;
    const to = places.get(target);
    if (to === undefined) return label;
    return `[${label}](${posix.relative(place, to) || posix.basename(to)}${fragment ? `#${fragment}` : ''})`;
  });
}

rmSync(pages, { recursive: true, force: true });
for (const [path, place] of places) {
  const file = join(pages, place);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, rewriteLinks(path, readFileSync(join(root, path), 'utf8')));
}
for (const folder of ['images', 'pictures'])
  cpSync(join(root, 'docs', folder), join(pages, folder), { recursive: true });
cpSync(join(import.meta.dirname, 'index.md'), join(pages, 'index.md'));
// What the first page and the theme name by an address of the site is copied as it is.
cpSync(join(import.meta.dirname, 'public'), join(pages, 'public'), { recursive: true });
cpSync(join(root, 'docs/pictures/first-tour.webp'), join(pages, 'public/first-tour.webp'));

/** The chapters of docs/README.md, which are in the order of what readers want to do, are the menu. */
const chapters = readFileSync(join(root, 'docs/README.md'), 'utf8').split(/^## /m).slice(1);
const menu = chapters.map((chapter) => {
  const links = [...chapter.matchAll(/\[([^\]]+)\]\(([\w./-]+\.md)\)/g)];
  const items = links.flatMap(([, label, href]) => {
    const place = places.get(posix.join('docs', href));
    const text = label.replace(/\s+/g, ' ');
    return place ? [{ text: text.charAt(0).toUpperCase() + text.slice(1), link: `/${place.replace('.md', '')}` }] : [];
  });
  return { text: chapter.split('\n', 1)[0], items, collapsed: false };
});
writeFileSync(join(pages, 'menu.json'), JSON.stringify(menu, null, 2));
