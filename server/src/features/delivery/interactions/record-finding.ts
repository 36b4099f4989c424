import { type BrowserFamily, dayOf, type Finding, type Millis, measureRow, normalizePagePath } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { PreparedStatement } from '../../../db/prepared-statement.ts';
import type { Visit } from '../../../pages/visit-token.ts';
import type { InteractionRow } from './queries.ts';

type FindingColumn = 'profile_id' | 'experience_id' | 'day' | 'part_id' | 'path' | 'finding';

type FindingParam = FindingColumn | 'at' | 'browser' | 'is_known';

const upsertFinding = new PreparedStatement<{ first_at: Millis }, FindingParam>(`
  insert into findings
    (account_id, profile_id, experience_id, day, part_id, path, finding, first_at, at, browser, is_known)
  values
    (:account, :profile_id, :experience_id, :day, :part_id, :path, :finding, :at, :at, :browser, :is_known)
  on conflict (account_id, experience_id, day, part_id, path, finding, profile_id)
  do update set at = excluded.at, browser = excluded.browser, is_known = excluded.is_known
  where findings.at < excluded.at
  returning first_at`);

/** Whether the element of a part was found on a page, and whether that counts when the step is called failing. */
interface FoundElement {
  part_id: string;
  href: string;
  finding: Finding;
  browser: BrowserFamily;
  is_known: boolean;
}

/** Counts a user once a day and path for whether the element of a part was found. Returns the room that this takes. */
export async function recordFinding(
  ctx: Context,
  key: Pick<InteractionRow, 'profile_id' | 'experience_id'>,
  { at, isProven }: Pick<Visit, 'at' | 'isProven'>,
  { href, ...found }: FoundElement,
): Promise<number> {
  const reported = normalizePagePath(href);
  if (reported === undefined) return 0;
  const day = dayOf(at);
  const part = { experience_id: key.experience_id, day, part_id: found.part_id };
  const reporter = isProven ? 'proven' : found.is_known ? 'known' : 'new';
  const path = await ctx.app.findingPaths.pathFor(ctx, part, reported, reporter);
  const [stored] = await ctx.run(upsertFinding, { ...key, ...found, day, path, at });
  ctx.app.stepChecks.add(ctx.account.id, key.experience_id);
  // A row that exists keeps its first time.
  return stored?.first_at === at ? measureRow('finding', { indexed: [path] }) : 0;
}
