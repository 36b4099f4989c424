import { posix } from 'node:path';
import { Marked, type Tokens } from 'marked';

/** A guide as HTML, with its title. Links between guides lead to the pages of this server; other links out of `docs/` become plain text. */
export function renderDoc(name: string, markdown: string): { title: string; html: string } {
  const ids = new Set<string>();
  let title = name;
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        if (depth === 1) title = text.replaceAll('`', '');
        const id = uniqueId(text, ids);
        return `<h${depth} id="${id}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const label = this.parser.parseInline(tokens);
        const target = targetOf(name, href);
        return target === undefined ? label : `<a href="${escapeHtml(target)}">${label}</a>`;
      },
      image({ href, text }) {
        const target = targetOf(name, href);
        return target === undefined ? '' : `<img src="${escapeHtml(target)}" alt="${escapeHtml(text)}" loading="lazy">`;
      },
      table(token) {
        return `<div class="table" tabindex="0" role="group" aria-label="Table">${tableOf(token, (cell) => this.parser.parseInline(cell.tokens))}</div>\n`;
      },
      code: ({ text }) => `<pre tabindex="0"><code>${escapeHtml(text)}</code></pre>\n`,
      html: ({ text }) => escapeHtml(text),
    },
  });
  const html = marked.parse(markdown, { async: false });
  return { title, html };
}

function tableOf({ header, rows }: Tokens.Table, show: (cell: Tokens.TableCell) => string): string {
  const row = (cells: readonly Tokens.TableCell[], tag: 'th' | 'td') =>
    `<tr>${cells.map((cell) => wrapCell(cell.text === '' ? 'td' : tag, show(cell))).join('')}</tr>`;
  const hasHeader = header.some(({ text }) => text !== '');
  const head = hasHeader ? `<thead>${row(header, 'th')}</thead>` : '';
  return `<table>${head}<tbody>${rows.map((cells) => row(cells, 'td')).join('')}</tbody></table>`;
}

/** A header without text would be announced as one. */
function wrapCell(tag: 'th' | 'td', html: string): string {
  return `<${tag}>${html}</${tag}>`;
}

/** Pages and files of other folders that the guides lead to, by their address below `/docs/`. The image of the container has them, too. */
const OTHER_FOLDERS = /^\/(?:client\/README\.md|examples\/(?:as-code|check-in-ci)\/[\w-]+\.yml)$/;

/** Where a link of the guide `name` leads: another guide or file below `/docs/`, or another site. */
export function targetOf(name: string, href: string): string | undefined {
  if (/^(https?:|mailto:|#)/.test(href)) return href;
  const [path = '', fragment] = href.split('#');
  const joined = posix.join('/docs', posix.dirname(name), path);
  const target = OTHER_FOLDERS.test(joined) ? `/docs${joined.replace('/README.md', '')}` : joined;
  if (!target.startsWith('/docs/')) return undefined;
  return target.replace(/\.md$/, '') + (fragment === undefined ? '' : `#${fragment}`);
}

/** The ID that Git hosts give a heading, so that the same links work there and here. */
function uniqueId(text: string, taken: Set<string>): string {
  const plain = text.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
  const id = plain.replace(/[^\p{L}\p{N}\s_-]/gu, '').replace(/\s/g, '-');
  let unique = id;
  for (let count = 1; taken.has(unique); count++) unique = `${id}-${count}`;
  taken.add(unique);
  return unique;
}

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => entities[character] ?? character);
}
