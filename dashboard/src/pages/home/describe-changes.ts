import type { ResponseOf } from '../../api/api.ts';
import { isOfDemo } from '../../experiences/is-of-demo.ts';

export type Change = ResponseOf<'GET /v3/edit/changes'>['changes'][number];

/** The verbs in the order of importance. If several things were done together, the first of them is named. */
const verbs = [
  ...(['deleted', 'createdLive', 'created', 'published', 'unpublished', 'archived', 'restored'] as const),
  ...(['reverted', 'renamed', 'translated', 'retargeted', 'related', 'edited'] as const),
] as const;
type Verb = (typeof verbs)[number];

/** Where an Experience came from, if no administrator created it. */
export type Source = 'demo' | 'sample';

export interface Sample {
  loaded_at: string | null;
  experience_ids: readonly string[];
}

/** Changes that one person made to one Experience within some minutes. */
export interface ChangeGroup {
  id: string;
  verb: Verb;
  experienceId: string;
  /** The name of the Experience at that time, if the Changes contain it. */
  name: string | undefined;
  user: Change['user'];
  at: string;
  source: Source | undefined;
}

const TOGETHER_MS = 10 * 60_000;

/**
 * Groups Changes, which come newest first. Changes of the demo or the sample data are listed only if there are no
 * others, once for each Experience.
 */
export function describeChanges(changes: readonly Change[], sample?: Sample): ChangeGroup[] {
  // The feed is about Experiences.
  const groups = groupChanges(
    changes.filter(({ model_type }) => model_type !== 'Theme'),
    sample,
  );
  const own = groups.filter(({ source }) => source === undefined);
  if (own.length > 0) return own;
  const latest = new Map(groups.toReversed().map((group) => [group.experienceId, group]));
  return groups.filter((group) => latest.get(group.experienceId) === group);
}

function groupChanges(changes: readonly Change[], sample: Sample | undefined): ChangeGroup[] {
  const groups: (ChangeGroup & { verbs: Set<Verb>; since: number })[] = [];
  const created = new Map(changes.filter(isCreation).map((change) => [change.experience_id, change]));
  const sourceOf = (change: Change): Source | undefined => {
    if (isOfSample(change, sample)) return 'sample';
    const creation = created.get(change.experience_id);
    const made = creation && { name: nameIn(creation) ?? '', created_at: creation.created_at };
    return made && isOfDemo(made, change.created_at) ? 'demo' : undefined;
  };
  for (const change of changes) {
    const time = Date.parse(change.created_at);
    const source = sourceOf(change);
    const last = groups.at(-1);
    const isSame =
      last !== undefined &&
      last.experienceId === change.experience_id &&
      last.user.id === change.user.id &&
      last.source === source &&
      last.since - time < TOGETHER_MS;
    const group = isSame ? last : { ...newGroup(change), source, verbs: new Set<Verb>(), since: time };
    if (!isSame) groups.push(group);
    group.verbs.add(verbOf(change));
    group.since = time;
    group.name ??= nameIn(change);
  }
  return groups.map(({ verbs: done, since: _, ...group }) => ({ ...group, verb: mostImportant(done) }));
}

function isCreation({ kind, path }: Change): boolean {
  return kind === 'create' && path === 'model';
}

function isOfSample({ experience_id, created_at }: Change, sample: Sample | undefined): boolean {
  return !!sample?.loaded_at && created_at <= sample.loaded_at && sample.experience_ids.includes(experience_id);
}

function newGroup({ id, experience_id, user, created_at }: Change): ChangeGroup {
  return { id, verb: 'edited', experienceId: experience_id, name: undefined, user, at: created_at, source: undefined };
}

function mostImportant(done: ReadonlySet<Verb>): Verb {
  if (done.has('created') && done.has('published')) return done.has('deleted') ? 'deleted' : 'createdLive';
  return verbs.find((verb) => done.has(verb)) ?? 'edited';
}

function verbOf({ kind, path, object }: Change): Verb {
  const isWhole = path === 'model';
  if (kind === 'related') return 'related';
  if (kind === 'revert') return 'reverted';
  if (isWhole && kind === 'destroy') return 'deleted';
  if (isWhole && kind === 'create') return object.published_at ? 'createdLive' : 'created';
  if (path.startsWith('translations.')) return 'translated';
  if (!isWhole) return 'edited';
  if (isPair(object.published_at)) return object.published_at[1] === null ? 'unpublished' : 'published';
  if (isPair(object.archived_at)) return object.archived_at[1] === null ? 'restored' : 'archived';
  const names = Object.keys(object);
  if (names.length === 1 && names[0] === 'name') return 'renamed';
  return names.some((name) => /^(segment|excluded_segment|url_group)_ids/.test(name)) ? 'retargeted' : 'edited';
}

function nameIn({ path, object }: Change): string | undefined {
  if (path !== 'model') return undefined;
  const name = isPair(object.name) ? object.name[1] : object.name;
  return typeof name === 'string' ? name : undefined;
}

function isPair(value: unknown): value is [unknown, unknown] {
  return Array.isArray(value) && value.length === 2;
}
