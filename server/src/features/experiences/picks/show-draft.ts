import { contentByLanguage, type Document, type PickContentInput, toPageTheme } from '@usher/domain';
import type { Context } from '../../../context.ts';
import { type PageProfile, parsePageProfile } from '../../../db/page-profile/page-profile.ts';
import { selectPageProfileById } from '../../../db/page-profile/select.ts';
import { forbidden } from '../../../errors.ts';
import { currentAccount } from '../../../pages/current-account.ts';
import { JsonBytes } from '../../../pages/json-bytes.ts';
import type { PickRequest } from '../../../pages/page-request.ts';
import type { PickRow } from '../../../pages/pick-token.ts';
import { isWithheld } from '../../../pages/uid-hash.ts';
import { isVisitOver, readVisit, type Visit } from '../../../pages/visit-token.ts';
import type { PublishedAccount } from '../../../published/published-account.ts';
import { DEFAULT_THEME } from '../../../published/published-themes.ts';
import { buildDecisionInput } from '../../delivery/visits/build-decision-input.ts';
import { newPageProfile } from '../../delivery/visits/new-page-profile.ts';
import { presentLabels, presentThemes } from '../../delivery/visits/present-contents.ts';
import { loadTranslations } from '../../translations/languages/load-texts.ts';
import { listCampaignIds } from '../check-references.ts';
import { experiencesOf } from '../queries.ts';
import { findExperienceOf, findThemeOf } from './present-open-pick.ts';

/**
 * Returns the draft of an Experience as a page load would, for the chosen user or the user of the page. Nothing is
 * recorded.
 */
export async function showDraft(
  { ctx, account: known, pick, host }: PickRequest,
  { visit_token, language }: PickContentInput,
): Promise<JsonBytes> {
  if (pick.purpose !== 'try') throw forbidden('This token is for picking an element, so no draft can be tried with it');
  const { id, draft } = await findExperienceOf(ctx, pick);
  const account = await currentAccount(ctx, known);
  const visit = visit_token === undefined ? undefined : checkVisit(ctx, account, visit_token);
  const chosen = pick.profile_id === null ? undefined : await findPageProfile(ctx, pick.profile_id);
  const current = visit && !chosen ? await findPageProfile(ctx, visit.profileId) : undefined;
  const pageProfile = chosen ?? current ?? unknownPageProfile(ctx, language);
  // Either an administrator chose the user, or the page must prove who its user is, as for every page load.
  const isHidden = !chosen && (!current || isWithheld(account, visit?.isProven ?? false));
  const page = { now: ctx.now(), href: pick.href, host: host?.host, isWithheld: isHidden };
  const data = await buildDecisionInput(ctx, account, pageProfile, page);
  const translations = await loadTranslations(ctx, id);
  const content = contentByLanguage(id, { document: draft, translations }, account);
  const json = content(pageProfile.row.browser_l).jsonFor(data.user);
  const themes = presentThemes(await findThemes(ctx, account, pick, draft), [{ document: draft }], data);
  const about = {
    user: isHidden ? null : { name: nameOf(pageProfile), is_chosen: !!chosen },
    names: await findNames(ctx, draft),
  };
  return new JsonBytes(
    `{"experience":${json}`,
    presentLabels(pageProfile),
    `${themes},${JSON.stringify(about).slice(1)}`,
  );
}

/** The published themes, or the draft of the theme that is tried, in place of the one of the Experience. */
async function findThemes(ctx: Context, account: PublishedAccount, pick: PickRow, draft: Document) {
  if (pick.theme_id === null) return account;
  const theme = await findThemeOf(ctx, pick);
  return { themes: new Map([[draft.theme_id ?? DEFAULT_THEME, toPageTheme(theme.draft)]]) };
}

/** The profile of an unknown user. Only the language of the browser is known. */
function unknownPageProfile(ctx: Context, language: string | undefined): PageProfile {
  const pageProfile = newPageProfile(ctx, '');
  return { ...pageProfile, row: { ...pageProfile.row, browser_l: language ?? null } };
}

function nameOf({ row: { custom, email, uid } }: PageProfile): string {
  const full = [custom.first_name, custom.last_name].filter((part) => typeof part === 'string').join(' ');
  const name = typeof custom.name === 'string' ? custom.name : full;
  return name.trim() || email || uid;
}

/** Finds the names of the tours and surveys that a draft leads to. They do not start while the draft is tried. */
async function findNames(ctx: Context, draft: Document): Promise<Record<string, string>> {
  const ids = [...new Set(listCampaignIds(draft))];
  if (ids.length === 0) return {};
  const rows = await experiencesOf(ctx).where('id', 'in', ids).execute();
  return Object.fromEntries(rows.map(({ id, draft }) => [id, draft.name]));
}

function checkVisit(ctx: Context, { id, visitKey }: PublishedAccount, token: string): Visit {
  const parsed = readVisit(token);
  const isValid =
    parsed?.visit.accountId === id && parsed.isSignedBy(visitKey) && !isVisitOver(parsed.visit, ctx.now());
  if (!parsed || !isValid) throw forbidden('This `visit_token` is not valid: load the page again');
  return parsed.visit;
}

async function findPageProfile(ctx: Context, id: string): Promise<PageProfile | undefined> {
  const [result] = await ctx.run(selectPageProfileById, { id });
  return result && parsePageProfile(result);
}
