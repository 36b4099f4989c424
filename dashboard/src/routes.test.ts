import { existsSync } from 'node:fs';
import { expect, it, vi } from 'vitest';

// The build replaces it.
vi.stubGlobal('__HAS_PARTS_PAGE__', false);
const { routes } = await import('./routes.tsx');

it('names a guide that exists for every page', () => {
  const guides = routes.flatMap(({ guide }) => (typeof guide === 'string' ? [guide] : Object.values(guide)));
  expect(guides.length).toBeGreaterThan(routes.length);
  const missing = guides.filter((name) => !existsSync(new URL(`../../docs/${name}.md`, import.meta.url)));
  expect(missing).toEqual([]);
});
