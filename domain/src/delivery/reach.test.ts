import { expect, it } from 'vitest';
import { removeReach } from './reach.ts';

const day = (experience_id: string, day: number, previous_day: number, kind: 'tour' | 'survey' | null = null) => ({
  ...{ experience_id, what: 'shown', day, previous_day, kind },
});

it('removes days on which the user did the same with no other Experience, and joins the others', () => {
  const rows = [
    ...[day('all', 1, -1), day('all', 2, 1), day('all', 3, 2), day('all', 5, 3)],
    ...[day('all-tour', 1, -1), day('all-tour', 2, 1), day('all-tour', 3, 2)],
    ...[day('other', 3, -1, 'tour'), day('survey', 1, -1, 'survey'), day('survey', 5, 1, 'survey')],
  ];
  const gone = [1, 2, 3].map((day) => ({ what: 'shown', day }));
  const { removed, relinked } = removeReach(rows, gone);
  expect(removed.map(({ experience_id, day }) => [experience_id, day])).toEqual([
    ['all', 2],
    ['all-tour', 1],
    ['all-tour', 2],
  ]);
  expect(relinked.map((row) => [row.experience_id, row.day, row.previous_day, row.new_previous_day])).toEqual([
    ['all', 3, 2, 1],
    ['all-tour', 3, 2, -1],
  ]);
});

it('keeps a day whose row of another Experience was deleted because of its age', () => {
  const rows = [day('all', 2, 1), day('all', 4, 2), day('other', 4, 2, 'tour')];
  expect(removeReach(rows, [{ what: 'shown', day: 2 }])).toEqual({ removed: [], relinked: [] });
});
