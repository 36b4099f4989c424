import { readFileSync } from 'node:fs';

const menu = () => JSON.parse(readFileSync(new URL('../.pages/menu.json', import.meta.url), 'utf8'));

/** The same IDs of headings as on a running server and on Git hosts, so that links work in all three. */
const slugify = (text) =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-');

/**
 * A wide table scrolls in a box of its own, which the keyboard reaches too.
 * @param {import('markdown-it')} md
 */
function scrollTables(md) {
  md.renderer.rules.table_open = () => '<div class="table" tabindex="0" role="group" aria-label="Table"><table>';
  md.renderer.rules.table_close = () => '</table></div>';
}

/**
 * The theme runs templates in pages. Guides show merge tags such as {{first_name}}, which are plain text.
 * @param {import('markdown-it')} md
 */
function keepBraces(md) {
  for (const name of ['text', 'code_inline']) {
    const render = md.renderer.rules[name];
    md.renderer.rules[name] = (...parameters) => render(...parameters).replaceAll('{{', '&#123;&#123;');
  }
}

export default {
  title: 'Usher',
  description: 'Self-hosted guided tours, microsurveys, launchers, tooltips and embeds for your product',
  lang: 'en',
  srcDir: '.pages',
  outDir: 'dist',
  cleanUrls: true,
  base: process.env.SITE_BASE ?? '/',
  head: [['link', { rel: 'icon', href: `${process.env.SITE_BASE ?? '/'}favicon.svg` }]],
  markdown: {
    html: false,
    anchor: { slugify },
    config: (md) => {
      keepBraces(md);
      scrollTables(md);
    },
    languageAlias: { django: 'jinja', caddy: 'nginx' },
  },
  themeConfig: {
    logo: '/favicon.svg',
    search: { provider: 'local' },
    nav: [
      { text: 'Start', link: '/start' },
      { text: 'Documentation', link: '/contents' },
      { text: 'Deploy', link: '/deploy' },
      { text: 'Comparison', link: '/comparison' },
      { text: 'API', link: '/api' },
      { text: '1.0', link: '/releases/1.0.0' },
    ],
    get sidebar() {
      return menu();
    },
    outline: [2, 3],
    footer: { message: 'MIT license. This site needs no cookies and counts no one.' },
  },
};
