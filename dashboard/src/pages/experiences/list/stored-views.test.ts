import { expect, it } from 'vitest';
import { withView } from './stored-views.ts';

const live = { name: 'Live tours', search: '?kind=tour&state=live' };

it('replaces a view of the same name, and keeps at most 20', () => {
  const changed = { ...live, search: '?kind=tour' };
  expect(withView([live], changed)).toEqual([changed]);
  const many = Array.from({ length: 20 }, (_, at) => ({ name: `View ${at}`, search: '?kind=tour' }));
  expect(withView(many, live).map(({ name }) => name)).toEqual([...many.slice(1).map(({ name }) => name), live.name]);
});
