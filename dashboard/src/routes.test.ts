import { existsSync, readFileSync } from 'node:fs';
import { expect, it, vi } from 'vitest';

// The build replaces this constant.
vi.stubGlobal('__HAS_PARTS_PAGE__', false);
const { routes } = await import('./routes.tsx');

it('names a guide that exists, and a heading in it, for every page', () => {
  const guides = routes.flatMap(({ guide }) => (typeof guide === 'string' ? [guide] : Object.values(guide)));
  expect(guides.length).toBeGreaterThan(routes.length);
  expect(guides.filter((guide) => guide.includes('#')).length).toBeGreaterThan(10);
  expect(guides.filter((guide) => !exists(guide))).toEqual([]);
});

function exists(guide: string): boolean {
  const [name, heading] = guide.split('#');
  const file = new URL(`../../docs/${name}.md`, import.meta.url);
  if (!existsSync(file)) return false;
  const headings = [...readFileSync(file, 'utf8').matchAll(/^#+ (.*)$/gm)].map(([, text = '']) =>
    text
      .toLowerCase()
      .replace(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  );
  return heading === undefined || headings.includes(heading);
}
