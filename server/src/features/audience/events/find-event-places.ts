import { isId } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { PreparedStatement } from '../../../db/prepared-statement.ts';

const idsOfUids = new PreparedStatement<{ found: string }, 'uids'>(
  ({ json }) => `
    select ${json.rows(['uid', 'id'])} as found from profiles
    where account_id = :account and ${json.isAmong('uid', ':uids')}`,
);

/**
 * Returns where each event of a batch is stored: events are in the order of their profiles. It is only about speed, so nothing
 * is checked or locked. Events of new profiles come last.
 */
export async function findEventPlaces(ctx: Context, params: unknown[]): Promise<number[]> {
  const owners = params.map(ownerOf);
  const uids = new Set(owners.flatMap(({ uid }) => uid ?? []));
  const [row] = await ctx.run(idsOfUids, { uids: JSON.stringify([...uids]) });
  const byUid = new Map<string, string>(JSON.parse(row?.found ?? '[]'));
  return owners.map(({ id, uid }) => placeOf(id ?? byUid.get(uid ?? '')));
}

function ownerOf(event: unknown): { id?: string; uid?: string } {
  const { id, uid } = (event ?? {}) as { id?: unknown; uid?: unknown };
  if (typeof id === 'string' && isId(id)) return { id };
  const text = typeof uid === 'number' ? String(uid) : uid;
  // PostgreSQL fails with other texts. Such an event is rejected later.
  return typeof text === 'string' && text.isWellFormed() && !text.includes('\0') ? { uid: text } : {};
}

/** As many digits as a number keeps. Profiles that were created together may share them, and are close to each other. */
function placeOf(id: string | undefined): number {
  return id === undefined ? Number.MAX_SAFE_INTEGER : Number.parseInt(id.slice(0, 13), 16);
}
