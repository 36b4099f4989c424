import type { Millis } from '../basics/time.ts';
import { reservedProfileKeys } from '../ingestion/reserved-keys.ts';
import { type CustomPatch, readCustom } from '../ingestion/value.ts';
import type { Button } from './experience.ts';

/** The custom properties that a click on a published button sets: the property of its action, and its tag. */
export function buildButtonPatch(button: Button, now: Millis): CustomPatch {
  const { additional_actions: actions, action_property, action_value, action_tag } = button;
  const set: Record<string, unknown> = {};
  if (actions.includes('property') && action_property) set[action_property] = action_value;
  if (actions.includes('tag_user') && action_tag) set[`tag_${action_tag}`] = true;
  return toCustomPatch(set, now);
}

/** The custom properties that are valid names and values; none if one is not. */
export function toCustomPatch(set: Record<string, unknown>, now: Millis): CustomPatch {
  const problems: string[] = [];
  const patch = readCustom(set, reservedProfileKeys, problems, now);
  return problems.length === 0 ? patch : {};
}
