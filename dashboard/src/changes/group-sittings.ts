import type { Change } from './change.ts';

/** The changes of one person in one sitting, or of one write. */
export interface Sitting {
  /** The ID of the newest Change, which identifies the state after the sitting. */
  id: string;
  kind: 'write' | 'autosave' | 'revert' | 'raw' | 'apply' | 'related';
  user: Change['user'];
  from: string;
  until: string;
  /** Newest first. */
  changes: Change[];
}

const PAUSE_MS = 30 * 60_000;
/** The Changes of one write have nearly the same time. */
const WRITE_MS = 1000;

const kinds: Record<Change['kind'], Sitting['kind']> = {
  create: 'write',
  update: 'write',
  destroy: 'write',
  partial: 'autosave',
  raw: 'raw',
  revert: 'revert',
  apply: 'apply',
  related: 'related',
};

/** Groups Changes, which come newest first: autosaves, or moves in the list, of one person until a pause of 30 minutes, and other Changes by write. */
export function groupSittings(changes: readonly Change[]): Sitting[] {
  const sittings: Sitting[] = [];
  for (const change of changes) {
    const kind = kinds[change.kind];
    const last = sittings.at(-1);
    const pause = last ? Date.parse(last.from) - Date.parse(change.created_at) : 0;
    const isOfSitting = kind === 'autosave' || [change, ...(last?.changes ?? [])].every(isMove);
    const belongs =
      last !== undefined &&
      last.kind === kind &&
      last.user.id === change.user.id &&
      (isOfSitting || !isWhole(last, change)) &&
      pause < (isOfSitting ? PAUSE_MS : WRITE_MS);
    if (belongs) {
      last.changes.push(change);
      last.from = change.created_at;
    } else {
      const { id, user, created_at } = change;
      sittings.push({ id, kind, user, from: created_at, until: created_at, changes: [change] });
    }
  }
  return sittings;
}

/** Whether a Change only moves the Experience in the list. People move an Experience several times in a row. */
function isMove({ path, kind, object }: Change): boolean {
  const names = Object.keys(object);
  const isPlace = names.length === 1 && names[0] === 'position';
  return path === 'order' || (path === 'model' && kind === 'update' && isPlace);
}

/**
 * Whether all Changes of a write are there. A write changes the Experience itself first, and each part once, so any
 * older Change belongs to another write.
 */
function isWhole({ changes }: Sitting, { model_id, path }: Change): boolean {
  return changes.at(-1)?.path === 'model' || changes.some((one) => one.model_id === model_id && one.path === path);
}
