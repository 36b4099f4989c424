import type { Millis } from '../basics/time.ts';
import { reservedProfileKeys } from '../ingestion/profile.ts';
import { type CustomPatch, readCustom } from '../ingestion/value.ts';
import type { Button } from './experience.ts';

/** What a click on a published button sets of the user: a property that the author chose, and a tag. */
export function buildButtonPatch(button: Button, now: Millis): CustomPatch {
  const { additional_actions: actions, action_property, action_value, action_tag } = button;
  const set: Record<string, unknown> = {};
  if (actions.includes('property') && action_property) set[action_property] = action_value;
  if (actions.includes('tag_user') && action_tag) set[`tag_${action_tag}`] = true;
  const problems: string[] = [];
  const patch = readCustom(set, reservedProfileKeys, problems, now);
  return problems.length === 0 ? patch : {};
}
