import { type ExclusiveKind, listKindsWith } from '../kinds/kinds.ts';

/** What a group is about: everything that it can be about, one kind of it, what has certain Tags, or a list. */
export const memberKinds = ['all', ...listKindsWith('isExclusive'), 'tags', 'campaigns'] as const;
export type MemberKind = (typeof memberKinds)[number];

/** The Experiences that a limit group or an alert group is about. */
export interface Members {
  kind: MemberKind;
  /** Empty unless the kind is `campaigns`. */
  experience_ids: readonly string[];
  /** Empty unless the kind is `tags`. */
  tag_ids: readonly string[];
}

interface StoredMembers {
  /** The only kind that a group is about, if any. */
  experience_kind: ExclusiveKind | null;
  experience_ids: readonly string[];
  tag_ids: readonly string[];
}

/** Which Experiences a stored group is about. The lists say it themselves, so that nothing can contradict them. */
export function readMemberKind({ experience_kind, experience_ids, tag_ids }: StoredMembers): MemberKind {
  if (experience_ids.length > 0) return 'campaigns';
  return tag_ids.length > 0 ? 'tags' : (experience_kind ?? 'all');
}

/** What a request says about the members of a group. A list of Experiences has two names. */
interface MembersParams {
  kind?: MemberKind;
  tag_ids?: readonly string[];
  campaign_ids?: readonly string[];
  experience_ids?: readonly string[];
}

/** Applies parameters to the members of a group, or to none yet. Without `kind`, the lists decide about it. */
export function writeMembers(
  before: Members | undefined,
  { kind: wanted, ...params }: MembersParams,
  problems: string[],
): Members {
  const given = sameIn(problems, ['campaign_ids', params.campaign_ids], ['experience_ids', params.experience_ids]);
  const lists = {
    campaigns: { name: params.campaign_ids ? 'campaign_ids' : 'experience_ids', given, before: before?.experience_ids },
    tags: { name: 'tag_ids', given: params.tag_ids, before: before?.tag_ids },
  };
  const named = (['campaigns', 'tags'] as const).filter((kind) => lists[kind].given?.length);
  const isEmptied = before && before.kind in lists && lists[before.kind as keyof typeof lists].given?.length === 0;
  const kind = wanted ?? named[0] ?? (isEmptied ? 'all' : (before?.kind ?? 'all'));
  for (const other of named)
    if (other !== kind)
      problems.push(`\`${lists[other].name}\` is for \`kind\` = \`${other}\`, and this group has \`${kind}\``);
  const membersOf = (of: 'campaigns' | 'tags'): readonly string[] => {
    if (kind !== of) return [];
    const ids = [...new Set(lists[of].given ?? lists[of].before ?? [])];
    if (ids.length === 0)
      problems.push(`\`${lists[of].name}\` must have at least one ID, because \`kind\` is \`${kind}\``);
    return ids;
  };
  return { kind, experience_ids: membersOf('campaigns'), tag_ids: membersOf('tags') };
}

/** Reads a value that has two names. */
export function sameIn<Value>(
  problems: string[],
  [name, value]: [string, Value | undefined],
  [other, otherValue]: [string, Value | undefined],
): Value | undefined {
  if (value !== undefined && otherValue !== undefined && JSON.stringify(value) !== JSON.stringify(otherValue))
    problems.push(`\`${name}\` and \`${other}\` are two names for the same, and differ: give one of them`);
  return value ?? otherValue;
}
