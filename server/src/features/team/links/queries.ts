import type { LinkKind, Millis, Role } from '@usher/domain';
import type { Selectable } from 'kysely';
import type { AppContext, Context } from '../../../context.ts';
import type { Schema } from '../../../db/schema.ts';
import type { Db } from '../../../db/storage.ts';
import { ApiError } from '../../../errors.ts';
import { hashToken, newSessionToken } from '../sessions/token.ts';

export type LinkRow = Selectable<Schema['links']>;

const HOUR: Millis = 60 * 60_000;
const lifetimes: Record<LinkKind, Millis> = { setup: 24 * HOUR, reset: 24 * HOUR, invite: 7 * 24 * HOUR };
const pages: Record<LinkKind, string> = { setup: 'setup', reset: 'reset', invite: 'join' };

interface NewLink {
  kind: LinkKind;
  person_id?: string;
  account_id?: string;
  role?: Role;
  created_by?: string | null;
  note?: string | null;
  secret_id?: string | null;
}

/** Stores a link and returns it with its token, which is shown once. */
export async function insertLink(app: AppContext, db: Db, link: NewLink): Promise<{ row: LinkRow; token: string }> {
  const token = newSessionToken();
  const expires_at = app.now() + lifetimes[link.kind];
  const row = await db
    .insertInto('links')
    .values({ ...link, id: app.newId(), hash: hashToken(token), expires_at })
    .returningAll()
    .executeTakeFirstOrThrow();
  return { row, token };
}

/** The token is in the fragment of the URL: browsers do not send it, so it gets into no log and no `Referer`. */
export function linkUrl(base: string, kind: LinkKind, token: string): string {
  return `${base}/app/${pages[kind]}#${token}`;
}

/** Finds a link that still works. Used, expired and unknown links get the same error. */
export async function findLink(app: AppContext, token: string, kind?: LinkKind): Promise<LinkRow> {
  const db = app.storage.reader(null);
  const link = await db.selectFrom('links').selectAll().where('hash', '=', hashToken(token)).executeTakeFirst();
  if (!link || link.used_at !== null || link.expires_at <= app.now()) throw deadLink();
  if (kind !== undefined && link.kind !== kind) throw deadLink();
  if (link.kind === 'setup' && (await hasPassword(db))) throw deadLink();
  return link;
}

/** Inside a transaction: uses a link. Of two requests with the same link, one gets an error. */
export async function useLink({ db, now }: Pick<Context, 'db' | 'now'>, { id }: LinkRow): Promise<void> {
  const used = await db
    .updateTable('links')
    .set({ used_at: now() })
    .where('id', '=', id)
    .where('used_at', 'is', null)
    .returning('id')
    .execute();
  if (used.length === 0) throw deadLink();
}

/** Whether anybody on this server has a password. As long as nobody has, a link for the first sign-in is printed. */
export async function hasPassword(db: Db): Promise<boolean> {
  const people = db.selectFrom('people').select('id').where('password_hash', 'is not', null);
  return (await people.limit(1).execute()).length > 0;
}

export function deadLink(): ApiError {
  return new ApiError(404, [
    'This link does not work any more: each works once, and for a limited time. Ask for a new one',
  ]);
}
