import { type Base, type DraftStore, isSaved, type LocalCopy } from './drafts.ts';
import { type Clash, mergeDocuments, refreshClashes } from './merge.ts';
import type { Tab } from './tab.ts';

/** Each tab has its own copy: two tabs with one copy would overwrite each other's changes. */
export const copyKey = (prefix: string, tabId: string) => `${prefix} ${tabId}`;

/**
 * The copy that this tab continues with. It takes over the copies of closed tabs, so that no text is lost: all their
 * unsaved changes are merged into it. Copies without the ID of a tab are from a version that had one copy for all tabs.
 */
export async function takeCopies(
  drafts: DraftStore,
  tab: Tab,
  prefix: string,
  now: Base,
): Promise<LocalCopy | undefined> {
  const ownKey = copyKey(prefix, tab.id);
  let own = await drafts.read(ownKey);
  const others = await listOthers(drafts, prefix, ownKey);
  // This tab may have been loaded again together with other tabs, whose copies must stay theirs.
  if (own && others.length > 0) await tab.othersLoaded();
  for (const key of others) {
    await tab.whileClosed(key.slice(prefix.length + 1), async () => {
      const other = await drafts.read(key);
      const joined = other ? joinCopies(own, other, now) : own;
      if (other && !joined) return;
      if (joined && joined !== own && !(await drafts.write(ownKey, joined))) return;
      own = joined;
      await drafts.remove(key);
    });
  }
  return own;
}

/** Lists the keys of the other copies, the newest first: a new tab continues with the newest copy and its undo history. */
async function listOthers(drafts: DraftStore, prefix: string, ownKey: string): Promise<string[]> {
  const keys = (await drafts.list(prefix)).filter((key) => key !== ownKey);
  const all = await Promise.all(keys.map(async (key) => ({ key, at: (await drafts.read(key))?.stored_at ?? 0 })));
  return all.sort((one, other) => other.at - one.at).map(({ key }) => key);
}

/**
 * Joins the unsaved changes of two copies. Returns undefined if both copies and somebody else have changed the same
 * text: only two texts can be shown beside each other, so the other copy waits.
 */
export function joinCopies(own: LocalCopy | undefined, other: LocalCopy, server: Base): LocalCopy | undefined {
  if (!own) return other;
  const now = [own.base, other.base].reduce(newest, server);
  const [mine, theirs] = [rebase(own, now), rebase(other, now)];
  if (isSaved(theirs)) return own;
  const { document, clashes } = mergeDocuments(now.document, mine.document, theirs.document);
  const open = [...mine.clashes, ...theirs.clashes];
  if (clashes.some((clash) => open.some(isSamePlace(clash)))) return undefined;
  const others = theirs.clashes.filter((clash) => !mine.clashes.some(isSamePlace(clash)));
  const ownName = { name: '', isMe: true };
  return {
    ...mine,
    document,
    clashes: [...mine.clashes, ...others, ...clashes.map((clash) => ({ ...clash, by: ownName }))],
  };
}

const newest = (one: Base, other: Base) => (other.updated_at > one.updated_at ? other : one);
const isSamePlace = (one: Clash) => (other: Clash) => one.of === other.of && one.field === other.field;

/**
 * Merges a copy with the current document of the server. Where somebody else has changed the same field, both values
 * are kept.
 */
function rebase(copy: LocalCopy, now: Base): LocalCopy {
  if (now.updated_at <= copy.base.updated_at) return copy;
  const { document, clashes } = mergeDocuments(copy.base.document, copy.document, now.document);
  // An older clash stays if the same field has not changed again.
  const older = copy.clashes.filter((clash) => !clashes.some(isSamePlace(clash)));
  return { ...copy, base: now, document, clashes: [...refreshClashes(document, older), ...clashes] };
}
