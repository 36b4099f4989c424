import { groupOps } from '../targeting/filter.ts';
import { address, boolean, code, filters, id, markdown, shownText, word } from './field.ts';

export const itemKinds = ['url', 'tour', 'survey', 'script', 'divider'] as const;

/** The fields of an item of a launcher. */
export const itemFields = {
  kind: word('type', itemKinds, 'url', { isLook: true }),
  title: shownText('title'),
  description: markdown('description'),
  url: address('address'),
  campaign_id: id('Experience to start', 'a tour or survey', ['tours', 'surveys']),
  segment_id: id('Segment', 'a Segment', ['segments']),
  completed_when: filters('condition to be completed'),
  completed_when_op: word('how the conditions to be completed combine', groupOps, 'and', { isForServer: true }),
  visible_when: filters('condition to be visible'),
  visible_when_op: word('how the conditions to be visible combine', groupOps, 'and', { isForServer: true }),
  hide: boolean('visibility', { isLook: true }),
  action_script: code('code'),
};
