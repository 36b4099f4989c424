import { address, boolean, code, id, markdown, shownText, word } from './field.ts';

export const itemKinds = ['url', 'tour', 'survey', 'script', 'divider'] as const;

/** The fields of an item of a launcher. */
export const itemFields = {
  kind: word('type', itemKinds, 'url', { isLook: true }),
  title: shownText('title'),
  description: markdown('description'),
  url: address('address'),
  campaign_id: id('Experience to start', 'a tour or survey', ['tours', 'surveys']),
  segment_id: id('Segment', 'a Segment', ['segments']),
  hide: boolean('visibility', { isLook: true }),
  action_script: code('code'),
};
