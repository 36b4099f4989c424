import { expect, it } from 'vitest';
import { removeReach } from './reach.ts';

const day = (experience_id: string, day: number, previous_day: number, kind: 'tour' | 'survey' | null = null) => ({
  ...{ experience_id, what: 'shown', day, previous_day, kind, at: null as number | null, url_group_id: '' },
});

it('removes days on which the user did the same with no other Experience, and joins the others', () => {
  const rows = [
    ...[day('all', 1, -1), day('all', 2, 1), day('all', 3, 2), day('all', 5, 3)],
    ...[day('all-tour', 1, -1), day('all-tour', 2, 1), day('all-tour', 3, 2)],
    ...[day('other', 3, -1, 'tour'), day('survey', 1, -1, 'survey'), day('survey', 5, 1, 'survey')],
  ];
  const gone = [1, 2, 3].map((day) => ({ what: 'shown', day }));
  const { removed, changed } = removeReach(rows, gone);
  expect(removed.map(({ experience_id, day }) => [experience_id, day])).toEqual([
    ['all', 2],
    ['all-tour', 1],
    ['all-tour', 2],
  ]);
  expect(
    changed.map(({ before, after }) => [after.experience_id, after.day, before.previous_day, after.previous_day]),
  ).toEqual([
    ['all', 3, 2, 1],
    ['all-tour', 3, 2, -1],
  ]);
});

it('keeps a day whose row of another Experience was deleted because of its age', () => {
  const rows = [day('all', 2, 1), day('all', 4, 2), day('other', 4, 2, 'tour')];
  expect(removeReach(rows, [{ what: 'shown', day: 2 }])).toEqual({ removed: [], changed: [] });
});

it('counts a day on the Environment of the first time with an Experience that is left', () => {
  const on = (url_group_id: string, at: number, row: ReturnType<typeof day>) => ({ ...row, url_group_id, at });
  const rows = [
    ...[
      on('shop', 1, day('all', 1, -1)),
      on('shop', 1, day('all-tour', 1, -1)),
      on('blog', 3, day('all-survey', 1, -1)),
    ],
    ...[on('shop', 5, day('tour', 1, -1, 'tour')), on('blog', 3, day('survey', 1, -1, 'survey'))],
  ];
  const { removed, changed } = removeReach(rows, [{ what: 'shown', day: 1 }]);
  expect(removed).toEqual([]);
  expect(changed.map(({ after }) => [after.experience_id, after.url_group_id, after.at])).toEqual([
    ['all', 'blog', 3],
    ['all-tour', 'shop', 5],
  ]);
});
