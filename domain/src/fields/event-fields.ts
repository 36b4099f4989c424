import { elements, ids, urls } from './field.ts';

/** What defines an event that is counted without code. Steps and Experiences have the same fields. */
export const eventFields = {
  elements: elements('element', 10),
  quantifier_urls: urls('pages'),
  url_group_ids: ids('Environments', 'an Environment', 50, ['url_groups']),
};
