import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { escapeHtml, targetOf } from './render-doc.ts';

export interface DocsSection {
  title: string;
  pages: { title: string; path: string }[];
}

const apiReference = { title: 'API reference', path: '/docs/reference' };

/** The chapters of the guides with their pages, as the list of all guides has them. */
export async function readSections(docsFolder: string): Promise<DocsSection[]> {
  const readme = await readFile(join(docsFolder, 'README.md'), 'utf8');
  const chapters = readme.split(/^## /m).slice(1);
  return chapters.map((chapter) => {
    const [title = ''] = chapter.split('\n', 1);
    const links = chapter.matchAll(/\[([^\]]+)\]\(([\w./-]+\.md)\)/g);
    const pages = [...links].flatMap(([, words = '', href = '']) => {
      const path = targetOf('README', href);
      return path === undefined ? [] : [{ title: upperFirst(words), path }];
    });
    return { title, pages };
  });
}

/** The menu of all pages. `current` is the path of the page that it is on. */
export function renderMenu(sections: readonly DocsSection[], current: string): string {
  const link = ({ title, path }: { title: string; path: string }) =>
    `<li><a href="${path}"${path === current ? ' aria-current="page"' : ''}>${escapeHtml(title)}</a></li>`;
  const list = (pages: DocsSection['pages']) => `<ul>${pages.map(link).join('')}</ul>`;
  const chapters = sections.map(({ title, pages }) => `<h2>${escapeHtml(title)}</h2>${list(pages)}`);
  const all = list([{ title: 'All guides', path: '/docs' }, apiReference]);
  return `<nav aria-label="Guides"><details><summary>Menu</summary>${all}${chapters.join('')}</details></nav>`;
}

/** What programs that read instead of people begin with: the pages with their addresses. */
export function renderForPrograms(sections: readonly DocsSection[], publicUrl: string): string {
  const link = ({ title, path }: { title: string; path: string }) => `- [${title}](${publicUrl}${path})`;
  const api = [
    `- [OpenAPI document](${publicUrl}/openapi.json): every endpoint with its parameters, responses and webhooks`,
    link(apiReference),
    `- ${publicUrl}/mcp: tools for assistants (Model Context Protocol), described in the guide "Assistants"`,
  ];
  return `${[
    '# Usher',
    '> Self-hosted guided tours, microsurveys, launchers, tooltips and embeds, with a REST API (v3).',
    `## API\n\n${api.join('\n')}`,
    ...sections.map(({ title, pages }) => `## ${title}\n\n${pages.map(link).join('\n')}`),
  ].join('\n\n')}\n`;
}

function upperFirst(text: string): string {
  return (text.charAt(0).toUpperCase() + text.slice(1)).replace(/\s+/g, ' ');
}
