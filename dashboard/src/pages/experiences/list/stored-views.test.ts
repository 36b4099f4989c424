import { expect, it } from 'vitest';
import { readViews, withView } from './stored-views.ts';

const live = { name: 'Live tours', search: '?kind=tour&state=live' };

it('reads what was stored, and ignores what is no view', () => {
  expect(readViews(JSON.stringify([live, { name: 'x', search: 'https://example.com' }, null, 3]))).toEqual([live]);
  for (const broken of [null, '', '{', '{}', '"text"']) expect(readViews(broken)).toEqual([]);
});

it('replaces a view of the same name, and keeps at most 20', () => {
  const changed = { ...live, search: '?kind=tour' };
  expect(withView([live], changed)).toEqual([changed]);
  const many = Array.from({ length: 20 }, (_, at) => ({ name: `View ${at}`, search: '?kind=tour' }));
  expect(withView(many, live).map(({ name }) => name)).toEqual([...many.slice(1).map(({ name }) => name), live.name]);
});
