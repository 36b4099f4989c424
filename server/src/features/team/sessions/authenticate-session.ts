import { isRecent } from '@usher/domain';
import type { InferResult } from 'kysely';
import type { AppContext, Authenticate, Caller } from '../../../context.ts';
import { signedOut } from '../../../errors.ts';
import { PerTickDedup } from '../../../http/per-tick-dedup.ts';
import type { SessionRow } from './queries.ts';
import { confirmedUntil, expiresAt } from './session-times.ts';
import { hashToken } from './token.ts';

const RECORD_USE_EVERY_MS = 60_000;

/** Finds the caller by the token in the cookie of a session. */
export function createAuthenticateSession(app: AppContext, perTickDedup = new PerTickDedup()): Authenticate {
  const db = app.storage.reader(null);
  // Every request of the dashboard runs this query, so it is compiled once.
  const byHash = db
    .selectFrom('sessions')
    .innerJoin('admins', (join) =>
      join
        .onRef('admins.person_id', '=', 'sessions.person_id')
        .onRef('admins.account_id', '=', 'sessions.account_id')
        .on('admins.removed_at', 'is', null),
    )
    .select([
      'sessions.id',
      'sessions.account_id',
      'sessions.person_id',
      'sessions.last_used_at',
      'sessions.confirmed_at',
      'admins.id as admin_id',
      'admins.role',
    ])
    .where('sessions.ended_at', 'is', null)
    .where('sessions.hash', '=', 'the hash')
    .compile();
  type Row = InferResult<typeof byHash>[number];
  const recordUse = createRecordUse(app);

  const find = async (token: string): Promise<Caller> => {
    const [row] = await app.storage.runSql<Row>(db, byHash.sql, [hashToken(token)], true);
    if (!row || expiresAt(row) <= app.now()) throw signedOut();
    recordUse(row);
    const session = { id: row.id, personId: row.person_id, confirmedUntil: confirmedUntil(row) };
    return { account: { id: row.account_id }, actor: { id: row.admin_id, role: row.role, session } };
  };

  return async (token) => {
    if (typeof token !== 'string' || token === '') throw signedOut();
    return perTickDedup.once(`session ${token}`, () => find(token));
  };
}

/** The request does not wait for this write. If a write is lost, `last_used_at` is a minute too old. */
function createRecordUse(app: AppContext): (session: Pick<SessionRow, 'id' | 'last_used_at'>) => void {
  const writing = new Set<string>();
  return ({ id, last_used_at }) => {
    const now = app.now();
    if (writing.has(id) || isRecent(last_used_at, now, RECORD_USE_EVERY_MS)) return;
    writing.add(id);
    app.storage
      .write(null, (db) => db.updateTable('sessions').set({ last_used_at: now }).where('id', '=', id).execute())
      .catch(() => {})
      .finally(() => writing.delete(id));
  };
}
