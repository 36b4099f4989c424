import {
  type CompiledExperience,
  compileExperience,
  countTranslated,
  DEFAULT_LANGUAGE,
  type Document,
  dayOf,
  listTranslatableSteps,
  PatternBudget,
  type PublishWarning,
  parsePageAddress,
} from '@usher/domain';
import type { Context } from '../../context.ts';
import type { PublishedAccount } from '../../published/published-account.ts';
import type { ExperienceRow } from '../experiences/queries.ts';
import { loadTexts } from '../languages/load-texts.ts';
import { listPaths } from '../paths/list-paths.ts';
import { listLanguageCodes } from '../translations/queries.ts';

const FINDING_DAYS = 7;
const MAX_PAGES = 200;
const MAX_NAMES = 5;

/** Lists what may not be as intended when this draft is published. */
export async function listWarnings(
  ctx: Context,
  account: PublishedAccount,
  { id, draft }: ExperienceRow,
): Promise<PublishWarning[]> {
  return [
    ...warnOfUrls(draft),
    ...warnOfEveryone(draft, ctx.now()),
    ...(await warnOfElements(ctx, id, draft)),
    ...(await warnOfLanguages(ctx, id, draft)),
    ...(await warnOfSamePage(ctx, account, compileExperience(id, draft))),
  ];
}

function warnOfUrls({ kind, steps, quantifier_urls = [] }: Document): PublishWarning[] {
  const urls = kind === 'launcher' ? quantifier_urls : (steps[0]?.quantifier_urls ?? []);
  if (urls.length > 0) return [];
  const path = kind === 'launcher' ? 'quantifier_urls' : 'steps.0.quantifier_urls';
  return [{ code: 'no_url_rule', message: 'It can start on every page', path }];
}

function warnOfEveryone(draft: Document, now: number): PublishWarning[] {
  const { segmentIds, excludedSegmentIds, experiment } = compileExperience('', draft);
  const isLimited = segmentIds.length > 0 || excludedSegmentIds.length > 0 || (experiment && experiment.at <= now);
  return isLimited ? [] : [{ code: 'reaches_everyone', message: 'It is for all users', path: 'segment_ids' }];
}

/** Warns of steps that users were to see in the last days, but nobody found their element. */
async function warnOfElements(ctx: Context, id: string, { steps }: Document): Promise<PublishWarning[]> {
  const rows = await ctx.heavyDb
    .selectFrom('findings')
    .select(['part_id', 'finding'])
    .distinct()
    .where('account_id', '=', ctx.account.id)
    .where('experience_id', '=', id)
    .where('day', '>', dayOf(ctx.now()) - FINDING_DAYS)
    .execute();
  const found = new Set(rows.filter(({ finding }) => finding === 'found').map(({ part_id }) => part_id));
  const missed = new Set(rows.map(({ part_id }) => part_id));
  return steps.flatMap((step, index) => {
    if (step.elements.length === 0 || !missed.has(step.id) || found.has(step.id)) return [];
    const message = `No one saw step ${index + 1} in the last ${FINDING_DAYS} days, because its element was not on the page`;
    return [{ code: 'element_not_seen' as const, message, path: `steps.${index}.elements` }];
  });
}

/** Users of a language see the default text where there is no translation. */
async function warnOfLanguages(ctx: Context, id: string, draft: Document): Promise<PublishWarning[]> {
  const steps = listTranslatableSteps(id, draft);
  const warnings: PublishWarning[] = [];
  for (const code of await listLanguageCodes(ctx)) {
    if (code === DEFAULT_LANGUAGE) continue;
    const { texts, translated } = countTranslated(steps, (await loadTexts(ctx, [id], code)).get(id)?.[0] ?? {});
    if (translated === texts) continue;
    const message = `${texts - translated} of ${texts} texts are not translated into \`${code}\``;
    warnings.push({ code: 'untranslated', message, path: `translations.${code}` });
  }
  return warnings;
}

/** Warns of other live Experiences that start on the same pages, as far as users visited these lately. */
async function warnOfSamePage(
  ctx: Context,
  account: PublishedAccount,
  draft: CompiledExperience,
): Promise<PublishWarning[]> {
  if (draft.isManual) return [];
  const others = account.liveExperiences(ctx.now()).filter((one) => one.id !== draft.id && competes(one, draft));
  if (others.length === 0) return [];
  const visited = await listPaths(ctx, { limit: MAX_PAGES });
  const pages = visited
    .map(({ host, path }) => parsePageAddress(`https://${host}${path}`))
    .filter((page) => draft.startsOn(page, new PatternBudget()));
  const startEverywhere = (one: CompiledExperience) =>
    one.urlPrefixes.some(({ hostname, path }) => hostname === undefined && path === undefined);
  const same = others.filter(
    (other) =>
      (startEverywhere(draft) && startEverywhere(other)) ||
      pages.some((page) => other.startsOn(page, new PatternBudget())),
  );
  if (same.length === 0) return [];
  const names = same.slice(0, MAX_NAMES).map(({ name }) => `“${name}”`);
  const more = same.length > MAX_NAMES ? ` and ${same.length - MAX_NAMES} others` : '';
  return [
    { code: 'same_page', message: `Others start on the same pages: ${names.join(', ')}${more}`, path: 'position' },
  ];
}

/** Tours and surveys show one at a time, so they compete. Others compete with their own kind. */
function competes(one: CompiledExperience, other: CompiledExperience): boolean {
  if (one.isManual) return false;
  const groupOf = ({ kind }: CompiledExperience) => (kind === 'survey' ? 'tour' : kind);
  return groupOf(one) === groupOf(other);
}
