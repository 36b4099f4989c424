import { setImmediate } from 'node:timers/promises';
import {
  AccountStepBudget,
  type CompiledExperience,
  compareByPosition,
  compileExperience,
  type Document,
  dayOf,
  isExclusive,
  listMissingAltTexts,
  PatternBudget,
  type PublishWarning,
  parsePageAddress,
  pathOfStartUrls,
  startUrls,
} from '@usher/domain';
import type { Context } from '../../../context.ts';
import type { PublishedAccount } from '../../../published/published-account.ts';
import { listPaths } from '../../experiences/paths/list-paths.ts';
import type { ExperienceRow } from '../../experiences/queries.ts';
import { countTexts } from '../../translations/count-texts.ts';
import { listTranslatedLanguages } from '../../translations/queries.ts';

const FINDING_DAYS = 7;
const MAX_PAGES = 200;
const MAX_NAMES = 5;

type Warning = Omit<PublishWarning, 'experience_ids'>;
/** The draft, compiled as if it was published. */
type CompiledDraft = CompiledExperience & { document: Document };

/** Lists what may not be as intended when this draft is published. */
export async function listWarnings(
  ctx: Context,
  account: PublishedAccount,
  { id, draft, position, sort_key: sortKey }: ExperienceRow,
): Promise<PublishWarning[]> {
  const own: Warning[] = [
    ...warnOfUrls(draft),
    ...warnOfEveryone(draft, ctx.now()),
    ...warnOfAltTexts(draft),
    ...(await warnOfElements(ctx, id, draft)),
    ...(await warnOfLanguages(ctx, id, draft)),
  ];
  const others = await warnOfOthers(ctx, account, {
    ...compileExperience(id, draft),
    document: draft,
    position,
    sortKey,
  });
  return [...others, ...own.map((warning) => ({ ...warning, experience_ids: [] }))];
}

function warnOfUrls(draft: Document): Warning[] {
  if (startUrls(draft).length > 0) return [];
  return [{ code: 'no_url_rule', message: 'It can start on every page', path: pathOfStartUrls(draft.kind) }];
}

function warnOfEveryone(draft: Document, now: number): Warning[] {
  const { segmentIds, excludedSegmentIds, experiment } = compileExperience('', draft);
  const isLimited = segmentIds.length > 0 || excludedSegmentIds.length > 0 || (experiment && experiment.at <= now);
  return isLimited ? [] : [{ code: 'reaches_everyone', message: 'It is for all users', path: 'segment_ids' }];
}

/** One warning for each step. */
function warnOfAltTexts(draft: Document): Warning[] {
  return listMissingAltTexts(draft).map((path) => ({
    code: 'no_alt_text' as const,
    message: `A picture in step ${Number(path.split('.')[1]) + 1} has no description for people who cannot see it`,
    path,
  }));
}

/** Warns of steps that users were to see in the last days, but no one found their element. */
async function warnOfElements(ctx: Context, id: string, { steps }: Document): Promise<Warning[]> {
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
async function warnOfLanguages(ctx: Context, id: string, draft: Document): Promise<Warning[]> {
  const counts = await countTexts(ctx, [{ id, draft }], await listTranslatedLanguages(ctx));
  return (counts.get(id) ?? []).flatMap(({ code, texts_count, translated_count, inherited_count }) => {
    const missing = texts_count - translated_count - inherited_count;
    if (missing === 0) return [];
    const message = `${missing} of ${texts_count} texts are not translated into ${nameOfLanguage(code)} (\`${code}\`)`;
    return [{ code: 'untranslated' as const, message, path: `translations.${code}` }];
  });
}

const languageNames = new Intl.DisplayNames(['en'], { type: 'language' });

/** "German" for `de`; the code itself, if it has no name. */
function nameOfLanguage(code: string): string {
  return languageNames.of(code) ?? code;
}

/** Warns of other live Experiences that start on the same pages. Users see those before it first, perhaps instead of it. */
async function warnOfOthers(ctx: Context, account: PublishedAccount, draft: CompiledDraft): Promise<PublishWarning[]> {
  const same = await findOnSamePages(ctx, account, draft);
  const first = same.filter((other) => compareByPosition(other, draft) < 0);
  const later = same.filter((other) => compareByPosition(other, draft) > 0);
  const warn = (code: PublishWarning['code'], words: string, others: readonly CompiledExperience[]) =>
    others.length === 0
      ? []
      : [
          {
            code,
            message: `${words}: ${listNames(others)}`,
            path: 'position',
            experience_ids: others.map(({ id }) => id),
          },
        ];
  return [
    ...warn('others_first', 'On the same pages, others come first', first),
    ...warn('same_page', 'On the same pages, it comes before others', later),
  ];
}

function listNames(experiences: readonly CompiledExperience[]): string {
  const names = experiences.slice(0, MAX_NAMES).map(({ name }) => `“${name}”`);
  const more = experiences.length > MAX_NAMES ? ` and ${experiences.length - MAX_NAMES} more` : '';
  return names.join(', ') + more;
}

/** Other live Experiences that start on the same pages, as far as users visited these lately. */
async function findOnSamePages(
  ctx: Context,
  account: PublishedAccount,
  draft: CompiledDraft,
): Promise<CompiledExperience[]> {
  if (!competes(draft)) return [];
  const others = account.liveExperiences(ctx.now()).filter((one) => one.id !== draft.id && competes(one));
  if (others.length === 0) return [];
  const everywhere = startsEverywhere(draft) ? others.filter(startsEverywhere) : [];
  const found = new Set(everywhere.map(({ id }) => id));
  const competing = new Set(others.map(({ id }) => id));
  const now = ctx.now();
  const steps = new AccountStepBudget();
  for (const { host, path } of await listPaths(ctx, { limit: MAX_PAGES })) {
    // Patterns can be costly, so other requests run between two pages, and all pages share what one account may use in a second.
    await setImmediate();
    if (found.size === competing.size || ctx.request?.signal?.aborted) break;
    const page = parsePageAddress(`https://${host}${path}`);
    const budget = new PatternBudget(steps, now);
    if (!draft.startsOn(page, budget)) continue;
    for (const other of account.candidates(page, now))
      if (competing.has(other.id) && !found.has(other.id) && other.startsOn(page, budget)) found.add(other.id);
  }
  return others.filter(({ id }) => found.has(id));
}

function startsEverywhere({ document }: { document: Document }): boolean {
  return startUrls(document).length === 0;
}

/** Tours and surveys show one at a time. Launchers, tooltips and embeds show beside all others. */
function competes(one: CompiledExperience): boolean {
  return isExclusive(one) && !one.isManual;
}
