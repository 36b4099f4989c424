import { groupOps } from '../targeting/filter.ts';
import { boolean, field, goals, id, ids, number, text, time, word } from './field.ts';

/** The most goals of one Experience. */
export const MAX_GOALS = 10;

/** The fields that every Experience has. Fields that only one kind has are in kinds/. */
export const commonFields = {
  name: field<string>({ type: 'name', initial: '', name: 'name', what: 'the name', max: 255 }),
  position: field<number>({
    ...{ type: 'place', initial: 0, name: 'place in the list', max: 1_000_000 },
    what: 'a whole number from 0: where it stands among the others',
  }),
  segment_ids: ids('Segments', 'a Segment', 20, ['segments']),
  segments_op: word('rule for several Segments', groupOps, 'and'),
  excluded_segment_ids: ids('excluded Segments', 'a Segment', 20, ['segments']),
  url_group_ids: ids('Environments', 'an Environment', 50, ['url_groups']),
  tag_ids: ids('Tags', 'a Tag', 50, ['tags']),
  theme_id: { ...id('theme', 'a theme, or null for the default', ['themes']), isLook: true },
  published_at: time('publication', { isState: true }),
  published_until: time('end'),
  archived_at: time('archive', { isState: true }),
  rate_unlimit_at: time('exception from the limits'),
  experiment_at: time('experiment'),
  experiment_range: field<string | null>({
    ...{ type: 'range', initial: null, name: 'experiment share', what: 'a range of percents such as `0-50`' },
  }),
  goal: text('goal', 'the name of an event', { max: 255 }),
  goals: goals('goals', MAX_GOALS, { isForServer: true }),
  without_consent: boolean('use before consent', { isForServer: true }),
  repeat_days: number('repetition', 'a number of days, up to 3650', 3650),
};
