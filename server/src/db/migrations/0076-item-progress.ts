/**
 * When a user completed the items of a checklist: a JSON object with the time of each, by the ID of the item. It is a text, because
 * page loads read it as it is, on both engines.
 */
export function itemProgress(): string[] {
  return ['alter table interactions add column items text'];
}
