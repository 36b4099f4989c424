import {
  type Browser,
  CUSTOM_TOO_LARGE_MESSAGE,
  checkPageWrite,
  decide,
  describeIgnoredReason,
  describeReason,
  emailKey,
  exceedsCustomLimit,
  type MergedCustom,
  mergeCustom,
  type ProfileItem,
  type StoredUser,
  type VisitOutput,
} from '@usher/domain';
import type { Context } from '../../../context.ts';
import type { PageProfile } from '../../../db/page-profile/page-profile.ts';
import { invalid } from '../../../errors.ts';
import { currentAccount } from '../../../pages/current-account.ts';
import { JsonBytes } from '../../../pages/json-bytes.ts';
import type { PageRequest } from '../../../pages/page-request.ts';
import { isWithheld, trustIn } from '../../../pages/uid-hash.ts';
import { toStoredUser } from '../../audience/profiles/stored-user.ts';
import { buildDecisionInput, listAwaited } from './build-decision-input.ts';
import { isSameCompany } from './compare-page-profile.ts';
import { explainExperiences } from './explain-experiences.ts';
import { findHostProblem } from './find-host-problem.ts';
import { findPageProfile } from './find-page-profile.ts';
import { newPageProfile } from './new-page-profile.ts';
import type { ParsedVisit } from './parse-visit.ts';
import { presentContents, presentThemes } from './present-contents.ts';
import { presentPageProfile } from './present-page-profile.ts';
import { presentPending } from './present-visit.ts';
import { withPageLoad } from './with-page-load.ts';

/** Says what this page load would show, and why everything else would not. Nothing is recorded. */
export async function explainVisit(
  { ctx, account: known, host }: PageRequest,
  { params, input, browser }: ParsedVisit,
): Promise<JsonBytes> {
  const account = await currentAccount(ctx, known);
  const stored = await findPageProfile(ctx, input.uid);
  const now = ctx.now();
  const trust = trustIn(account, params, input, now);
  const before = stored ?? newPageProfile(ctx, input.uid);
  const { allowed, ignored, pageKeys } = checkPageWrite(await findStoredUser(ctx, before, input), input, trust);
  const pageProfile = applyInput(before, allowed, browser, (merged) => exceedsCustomLimit(merged, pageKeys, trust));
  const withheld = isWithheld(account, trust.proof !== 'none');
  const data = await buildDecisionInput(ctx, account, withPageLoad(pageProfile, now), {
    now,
    href: params.href,
    host: host?.host,
    isWithheld: withheld,
    hostProblem: findHostProblem(account, host),
    awaited: listAwaited(account, now),
  });
  const rows = new Map(data.deliveries.map((row) => [row.id, row]));
  const explained = await explainExperiences(ctx, account, data.input);
  const deliveries = explained.deliveries.flatMap(({ reasons, ...decided }) => {
    const row = rows.get(decided.id);
    return row ? { ...presentPending(row, decided, withheld), reasons: reasons.map(describeReason) } : [];
  });
  const explanations: VisitOutput['explanations'] = explained.experiences.map(({ id, kind, name, shows, reasons }) => ({
    id,
    kind,
    name,
    shows,
    reasons: reasons.map(describeReason),
  }));
  const decision = decide(account, data.input);
  const contents = presentContents(decision, pageProfile, data);
  const themes = presentThemes(account, decision.experiences, data);
  return new JsonBytes(
    `{"known":${stored !== undefined},"profile":${JSON.stringify(presentPageProfile(pageProfile))},"deliveries":${JSON.stringify(deliveries)},"experiences":${contents}${themes},"explanations":${JSON.stringify(explanations)},"ignored":${JSON.stringify(ignored.map(({ name, reason }) => ({ name, reason: describeIgnoredReason(reason) })))},"withheld":${withheld}}`,
  );
}

/** Unlike a page load, this looks up who holds the email and what the Company has before anything is stored. */
async function findStoredUser(ctx: Context, pageProfile: PageProfile, input: ProfileItem): Promise<StoredUser> {
  const { id, uid } = input.company ?? {};
  const holder =
    typeof input.email === 'string' &&
    (await ctx.db
      .selectFrom('profiles')
      .select('id')
      .where('account_id', '=', ctx.account.id)
      .where('email_key', '=', emailKey(input.email))
      .executeTakeFirst());
  const company =
    input.company &&
    (await ctx.db
      .selectFrom('companies')
      .select('custom')
      .where('account_id', '=', ctx.account.id)
      .where(id === undefined ? 'uid' : 'id', '=', id ?? uid ?? '')
      .executeTakeFirst());
  return toStoredUser(pageProfile.row, {
    isSameCompany: isSameCompany(pageProfile, input),
    companyCustom: company?.custom ?? {},
    emailTaken: holder ? holder.id !== pageProfile.row.id : false,
  });
}

/** The user as it would be stored after this page load. */
function applyInput(
  pageProfile: PageProfile,
  { email, custom }: ProfileItem,
  browser: Browser,
  isTooLarge: (merged: MergedCustom) => boolean,
): PageProfile {
  const { row } = pageProfile;
  const merged = mergeCustom(row.custom, custom);
  if (merged && isTooLarge(merged)) throw invalid(CUSTOM_TOO_LARGE_MESSAGE);
  const sentByBrowser = Object.fromEntries(Object.entries(browser).filter(([, value]) => value !== null));
  const sentByPage = { email: email === undefined ? row.email : email, custom: merged?.custom ?? row.custom };
  return { ...pageProfile, row: { ...row, ...sentByBrowser, ...sentByPage } };
}
