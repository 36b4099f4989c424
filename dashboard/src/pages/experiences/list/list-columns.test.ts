import type { ListedExperience } from '@usher/domain';
import { expect, it } from 'vitest';
import { listColumns } from './list-columns.tsx';

const names = { environments: [], segments: [], tags: [], failing: [] };
const show = (id: string, one: object) => {
  const column = listColumns(names as never, false).find((column) => column.id === id);
  return column?.render(one as ListedExperience);
};

it('counts who saw a launcher as Home does, not only who opened it', () => {
  expect(show('seen', { stats: { displayed_count: 3, started_count: 1 } })).toMatchObject({ props: { value: 3 } });
  expect(show('seen', { stats: { displayed_count: 0, started_count: 2 } })).toMatchObject({ props: { value: 2 } });
});

it('says what came with the demo instead of who started the server', () => {
  const changed_by = { id: 'ann', name: 'Ann' };
  const demo = { name: 'Demo: seats', created_at: '2029-01-01T12:00:00.000Z', changed_by };
  const isOfDemo = { props: { children: 'came with the demo' } };
  expect(show('changed', { ...demo, updated_at: '2029-01-01T12:00:00.200Z' })).toMatchObject(isOfDemo);
  expect(show('changed', { ...demo, updated_at: '2029-01-01T12:01:00.000Z' })).not.toMatchObject(isOfDemo);
});
