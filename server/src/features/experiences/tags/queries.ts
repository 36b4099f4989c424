import { normalizeKey, type Tag, timeOfId, toTimestamp } from '@usher/domain';
import type { Selectable } from 'kysely';
import type { Context } from '../../../context.ts';
import type { Schema } from '../../../db/schema.ts';
import { type ApiError, conflict, invalid, notFound } from '../../../errors.ts';

type TagRow = Selectable<Schema['tags']>;

export function presentTag({ id, updated_at, uid, name }: TagRow): Tag {
  return { id, created_at: toTimestamp(timeOfId(id)), updated_at: toTimestamp(updated_at), uid, name };
}

export function tagsOf(ctx: Context) {
  return ctx.db.selectFrom('tags').selectAll().where('account_id', '=', ctx.account.id);
}

export async function getTag(ctx: Context, id: string): Promise<TagRow> {
  const row = await tagsOf(ctx).where('id', '=', id).executeTakeFirst();
  if (!row) throw notFound('Tag');
  return row;
}

/** Derives the `uid` of a Tag; `from` is the parameter that the text comes from. */
export function toTagUid(text: string, from: 'name' | 'uid'): string {
  const uid = normalizeKey(text);
  if (!/[\p{L}\p{N}]/u.test(uid)) throw invalid(`\`${from}\` must have at least one letter or digit`);
  return uid;
}

export function uidTaken(uid: string): ApiError {
  return conflict(`There is a Tag \`${uid}\` already: use that one, or give another \`uid\``);
}
