import type { MemberKind } from '@usher/domain';
import { formatNumber } from '../../messages/format.ts';
import * as text from '../../messages/text.ts';

const members = text.members;

/** The fields that say which Experiences a limit group or an alert group is about. */
export interface MemberValues {
  kind: MemberKind;
  experience_ids: string[];
  tag_ids: string[];
}

export const noMembers: MemberValues = { kind: 'all', experience_ids: [], tag_ids: [] };

/** The parameters of a request. What was chosen before another kind does not count. */
export const memberParams = ({ kind, experience_ids, tag_ids }: MemberValues) => ({
  kind,
  experience_ids: kind === 'campaigns' ? experience_ids : [],
  tag_ids: kind === 'tags' ? tag_ids : [],
});

const names: readonly string[] = Object.keys(noMembers);

/** The parameters of the fields that were changed. Those of the members depend on each other, so they are sent together. */
export function changedParams<Params extends object>(all: Params, changed: object): Partial<Params> {
  const hasMembers = names.some((name) => name in changed);
  const isSent = (name: string) => name in changed || (hasMembers && names.includes(name));
  return Object.fromEntries(Object.entries(all).filter(([name]) => isSent(name))) as Partial<Params>;
}

/** Which Experiences a group is about, in words. */
export function describeMembers({ kind, experience_ids, tag_ids }: MemberValues): string | undefined {
  if (kind === 'campaigns') return members.some(formatNumber(experience_ids.length));
  return kind === 'tags' ? members.tagged(formatNumber(tag_ids.length)) : members.all[kind];
}

/** One of these values in words. */
export function describeMemberValue(name: string, value: unknown): string {
  if (name === 'kind') return members.options[value as MemberKind].label;
  const count = formatNumber((value as string[]).length);
  return name === 'tag_ids' ? members.tagged(count) : members.some(count);
}
