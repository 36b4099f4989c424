import { type Base, type DraftStore, isSaved, type LocalCopy } from './drafts.ts';
import { type Clash, mergeDocuments, refreshClashes } from './merge.ts';
import type { Tab } from './tab.ts';

/** Each tab has its own copy: two tabs with one copy would overwrite each other's changes. */
export const copyKey = (prefix: string, tabId: string) => `${prefix} ${tabId}`;

/**
 * The copy that this tab goes on with. It takes over what tabs that are closed have left, so that no text is lost: everything that is
 * not saved is merged into it. Copies that have no ID of a tab are from a version that had one copy for all tabs.
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
  // A tab that is loaded again may be so together with others, whose copies are theirs.
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
 * One copy with what is not saved in either. Undefined if a text was changed by both and by somebody else too: only two can be shown
 * beside each other, so the other copy waits.
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

/** The copy with what the server has now. Where somebody else has changed the same, it has both. */
function rebase(copy: LocalCopy, now: Base): LocalCopy {
  if (now.updated_at <= copy.base.updated_at) return copy;
  const { document, clashes } = mergeDocuments(copy.base.document, copy.document, now.document);
  // An older clash goes on if the same field has not changed again.
  const older = copy.clashes.filter((clash) => !clashes.some(isSamePlace(clash)));
  return { ...copy, base: now, document, clashes: [...refreshClashes(document, older), ...clashes] };
}
