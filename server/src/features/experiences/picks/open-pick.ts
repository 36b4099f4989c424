import { normalizePickCode, type OpenPick, PICK_OPEN_MS, type PickWithToken } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { type ApiError, forbidden, invalid } from '../../../errors.ts';
import { networkOf } from '../../../http/client-network.ts';
import type { PageRequest } from '../../../pages/page-request.ts';
import {
  checkPick,
  checkPickHost,
  hashPickSecret,
  newPickToken,
  type PickRow,
  pickIsOpen,
} from '../../../pages/pick-token.ts';
import { recordAudit } from '../../team/audit/record-audit.ts';
import { readPage } from './page.ts';
import { findEventOf, findExperienceOf, findThemeOf, presentOpenPick } from './present-open-pick.ts';
import { picksOf } from './queries.ts';

/** Exchanges the key of an address, or a code that somebody typed, for a token. This works once. */
export async function openPick(page: PageRequest, params: OpenPick): Promise<PickWithToken> {
  const { ctx, host, ip } = page;
  const known = await findPick(page, params);
  if (known.opened_at !== null) throw pickIsOpen();
  await checkPick(ctx, known);
  checkPickHost(known, host);
  const target = await findTargetOf(ctx, known);
  const token = newPickToken(known);
  const opened = await ctx.transaction(async (ctx) => {
    const row = await storeToken(ctx, known, token, params.href);
    await recordOpening(ctx, row, target, networkOf(ip));
    return row;
  });
  ctx.app.pickStreams.wake(opened.id);
  return { token, ...(await presentOpenPick(ctx, opened)) };
}

async function findPick({ ctx, limits, ip }: PageRequest, { key, code }: OpenPick): Promise<PickRow> {
  if ((key === undefined) === (code === undefined)) throw invalid('Give `key` or `code`');
  const uncount = code === undefined ? undefined : limits.countCode(ip);
  const known = key === undefined ? await findByCode(ctx, code ?? '') : await findByKey(ctx, key);
  if (known) {
    uncount?.();
    return known;
  }
  limits.countWrong(ip);
  throw unknownPick(key === undefined ? 'code' : 'key');
}

function findByKey(ctx: Context, key: string): Promise<PickRow | undefined> {
  return picksOf(ctx).where('key_hash', '=', hashPickSecret(key)).executeTakeFirst();
}

/** Two picks can have the same code, however unlikely that is: the newest pick counts. */
async function findByCode(ctx: Context, input: string): Promise<PickRow | undefined> {
  const code = normalizePickCode(input);
  if (code === undefined) return undefined;
  return picksOf(ctx).where('code_hash', '=', hashPickSecret(code)).orderBy('id', 'desc').limit(1).executeTakeFirst();
}

function unknownPick(what: 'code' | 'key'): ApiError {
  const hint = what === 'code' ? 'check it, or start again in Usher' : 'go back to Usher and start again there';
  return forbidden(`There is no pick with this ${what}: ${hint}`);
}

/** Stores the token. Only the first of several requests with the same key can do that. */
async function storeToken(ctx: Context, pick: PickRow, token: string, href: string): Promise<PickRow> {
  const now = ctx.now();
  const row = await ctx.db
    .updateTable('picks')
    .set({
      token_hash: hashPickSecret(token),
      opened_at: now,
      expires_at: now + PICK_OPEN_MS,
      page: JSON.stringify(readPage(pick, href, null)),
    })
    .where('account_id', '=', ctx.account.id)
    .where('id', '=', pick.id)
    .where('opened_at', 'is', null)
    .where('ended_at', 'is', null)
    .returningAll()
    .executeTakeFirst();
  if (!row) throw pickIsOpen();
  return row;
}

async function findTargetOf(ctx: Context, pick: PickRow): Promise<{ type: string; id: string }> {
  if (pick.purpose === 'theme') return { type: 'theme', id: (await findThemeOf(ctx, pick)).id };
  if (pick.purpose === 'event') return { type: 'event_name', id: (await findEventOf(ctx, pick)).id };
  const { kind, id } = await findExperienceOf(ctx, pick);
  return { type: kind, id };
}

/** The page acts for the administrator who made the pick. */
function recordOpening(
  ctx: Context,
  row: PickRow,
  target: { type: string; id: string },
  network: string,
): Promise<void> {
  const { admin_id, purpose, host } = row;
  const actor = { id: admin_id, role: 'editor' as const };
  const recorder = { db: ctx.db, clock: ctx.clock, actor, request: { network } };
  return recordAudit(recorder, 'pick.open', target, { purpose, host });
}
