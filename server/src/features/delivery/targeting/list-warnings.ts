import { setImmediate } from 'node:timers/promises';
import {
  AccountStepBudget,
  type CompiledExperience,
  compareByPosition,
  compileExperience,
  type Document,
  dayOf,
  isExclusive,
  isUncertain,
  listForeignWords,
  listImportDoubts,
  listMissingAltTexts,
  localize,
  PatternBudget,
  type PublishCheck,
  type PublishWarning,
  parsePageAddress,
  pathOfStartUrls,
  requiresPhone,
  startUrls,
  type Translations,
  toCondition,
  withArticle,
} from '@usher/domain';
import { sql } from 'kysely';
import type { Context } from '../../../context.ts';
import type { PublishedAccount } from '../../../published/published-account.ts';
import { listPaths } from '../../experiences/paths/list-paths.ts';
import type { ExperienceRow } from '../../experiences/queries.ts';
import { countTexts } from '../../translations/count-texts.ts';
import { loadTranslations } from '../../translations/languages/load-texts.ts';
import { listTranslatedLanguages } from '../../translations/queries.ts';
import { countWithin } from './count-audience.ts';

const FINDING_DAYS = 7;
const EVENT_DAYS = 30;
const DAY_MS = 24 * 60 * 60_000;
const MAX_PAGES = 200;
const MAX_NAMES = 5;
/** More than this share of the people is most of them. */
const MOST = 0.5;

type Warning = Omit<PublishWarning, 'experience_ids'>;
/** The draft, compiled as if it was published. */
type CompiledDraft = CompiledExperience & { document: Document };

/** Lists what may not be as intended when this draft is published. */
export async function listWarnings(
  ctx: Context,
  account: PublishedAccount,
  { id, draft, position, sort_key: sortKey }: ExperienceRow,
): Promise<PublishWarning[]> {
  const languages = await listTranslatedLanguages(ctx);
  const own: Warning[] = [
    ...warnOfUrls(draft),
    ...warnOfEveryone(draft, ctx.now()),
    ...warnOfAltTexts(id, draft, languages, await loadTranslations(ctx, id)),
    ...warnOfForeignFilters(draft, account),
    ...warnOfTriggers(draft, account),
    ...warnOfImports(draft),
    ...warnOfForeignActions(draft),
    ...(await warnOfElements(ctx, id, draft)),
    ...(await warnOfEvents(ctx, draft)),
    ...(await warnOfLanguages(ctx, id, draft, languages)),
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

/** A filter of another service matches nobody, so it can only keep people from seeing this. */
function warnOfForeignFilters(
  { segment_ids, excluded_segment_ids, items = [] }: Document,
  { segments, segmentNames }: PublishedAccount,
): Warning[] {
  const find = (id: string) => segments.get(id);
  const warn = (ids: readonly string[], path: string, effect: string) =>
    ids
      .filter((id) => isUncertain({ is: 'in segment', id }, find))
      .map((id) => ({
        code: 'unsupported_filter' as const,
        message: `The Segment “${segmentNames.get(id) ?? id}” has a filter of another service, which Usher cannot check: ${effect}`,
        path,
      }));
  return [
    ...warn(segment_ids, 'segment_ids', 'no one matches that filter'),
    ...warn(excluded_segment_ids, 'excluded_segment_ids', 'everyone who could match it is left out too'),
    ...items.flatMap(({ segment_id }, at) =>
      warn(segment_id === null ? [] : [segment_id], `items.${at}.segment_id`, 'no one matches that filter'),
    ),
  ];
}

/** A step that waits for something that its users hardly do, or that is skipped. */
function warnOfTriggers(draft: Document, { segments }: PublishedAccount): Warning[] {
  const { kind, style, segment_ids, steps } = draft;
  const isTouchOnly = segment_ids.length > 0 && segment_ids.every((id) => requiresPhone(segments.get(id)));
  return steps.flatMap(({ secondary_trigger }, at) => {
    const warn = (message: string): Warning[] => [
      { code: 'unlikely_trigger', message: `Step ${at + 1}: ${message}`, path: `steps.${at}.secondary_trigger` },
    ];
    if (secondary_trigger !== 'exit_intent' && secondary_trigger !== 'scroll_percent') return [];
    if (at === 0 && style === 'manual')
      return warn(`what starts ${withArticle(kind)} by hand starts it immediately, so it does not wait for anything`);
    if (secondary_trigger === 'exit_intent' && isTouchOnly)
      return warn(
        'its people use phones, which have no pointer: it shows after a fast swipe up, or when they come back to the tab',
      );
    return [];
  });
}

/** An item that most people have completed when they first see it tells them nothing. */
export async function warnOfCompletedItems(
  ctx: Context,
  account: PublishedAccount,
  draft: Document,
  { estimate: { now: people } }: PublishCheck['reach'],
): Promise<PublishWarning[]> {
  const { items = [], list_type } = draft;
  const checked = items.flatMap((item, at) => {
    const { completed_when: filters, completed_when_op: op, hide, title } = item;
    return list_type === 'checklist' && filters.length > 0 && !hide
      ? [{ at, title, condition: toCondition(filters, op) }]
      : [];
  });
  if (checked.length === 0 || people === 0) return [];
  const counts = await countWithin(
    ctx,
    account,
    draft,
    checked.map(({ condition }) => condition),
  );
  return checked.flatMap(({ at, title }, index) => {
    const share = Math.min(1, (counts[index] ?? 0) / people);
    if (share <= MOST) return [];
    const message = `Item ${at + 1}${title ? ` (“${title}”)` : ''} is completed already for ${Math.round(share * 100)}% of the people that the list is for`;
    return [{ code: 'already_completed', message, path: `items.${at}.completed_when`, experience_ids: [] }];
  });
}

/** What was imported and is not exactly the same here. */
function warnOfImports({ steps }: Document): Warning[] {
  return steps.flatMap((step, at) =>
    listImportDoubts(step).map(({ field, message }) => ({
      code: 'imported_step' as const,
      message: `Step ${at + 1} was imported, please check it: ${message}`,
      path: `steps.${at}.${field.startsWith('buttons.') ? field : 'position_element'}`,
    })),
  );
}

function warnOfForeignActions(draft: Document): Warning[] {
  return listForeignWords(draft).map(({ word, path, instead }) => {
    const [, step = 0, , button = 0] = path.split('.');
    const message = `Step ${Number(step) + 1}, button ${Number(button) + 1}: \`${word}\` is an action of another service and does nothing here. Instead, ${instead}`;
    return { code: 'unsupported_action' as const, message, path: path.replace(/\.\d+$/, '') };
  });
}

/** One warning for each text or step, also of a translation that has a picture of its own. */
function warnOfAltTexts(
  id: string,
  draft: Document,
  languages: readonly string[],
  translations: Translations,
): Warning[] {
  const warn = (field: string, language: string, path: string) => {
    const [list, index] = field.split('.');
    const place = index === undefined ? '' : ` in ${list === 'items' ? 'item' : 'step'} ${Number(index) + 1}`;
    const message = `A picture${place} has no description${language} for people who cannot see it`;
    return { code: 'no_alt_text' as const, message, path };
  };
  const missing = listMissingAltTexts(draft);
  const translated = languages.flatMap((code) =>
    listMissingAltTexts(localize(id, { document: draft, translations }, code))
      .filter((field) => !missing.includes(field))
      .map((field) => warn(field, ` in ${nameOfLanguage(code)} (\`${code}\`)`, `translations.${code}`)),
  );
  return [...missing.map((field) => warn(field, '', field)), ...translated];
}

/** Warns of steps that users were to see in the last days, but no one found their element. */
async function warnOfElements(ctx: Context, id: string, { steps }: Document): Promise<Warning[]> {
  const atElements = steps.filter(({ elements }) => elements.length > 0);
  if (atElements.length === 0) return [];
  const today = dayOf(ctx.now());
  const days = Array.from({ length: FINDING_DAYS }, (_, ago) => today - ago);
  // One search in the primary key for each day ends at the first row: a step of a popular tour has millions.
  const ofStep = ({ id: stepId }: { id: string }) => sql`select 1 from findings
    where account_id = ${ctx.account.id} and experience_id = ${id} and day in (${sql.join(days)}) and part_id = ${stepId}`;
  const { rows } = await sql<{ part_id: string }>`${sql.join(
    atElements.map(
      (step) => sql`select ${sql.val(step.id)} as part_id
        where exists (${ofStep(step)}) and not exists (${ofStep(step)} and finding = 'found')`,
    ),
    sql` union all `,
  )}`.execute(ctx.heavyDb);
  const missed = new Set(rows.map(({ part_id }) => part_id));
  return steps.flatMap((step, index) => {
    if (!missed.has(step.id)) return [];
    const message = `No one saw step ${index + 1} in the last ${FINDING_DAYS} days, because its element was not on the page`;
    return [{ code: 'element_not_seen' as const, message, path: `steps.${index}.elements` }];
  });
}

/** Warns of steps and items that wait for an event that no one sends. */
async function warnOfEvents(ctx: Context, draft: Document): Promise<Warning[]> {
  const { events: ofSteps, checklist } = compileExperience('', draft);
  const { steps, items = [] } = draft;
  const events = [
    ...ofSteps.map(({ name, stepId }) => {
      const at = steps.findIndex(({ id }) => id === stepId);
      return { name, who: `Step ${at + 1}`, path: `steps.${at}.trigger_event` };
    }),
    ...(checklist?.items ?? []).flatMap((item) => {
      const at = items.findIndex(({ id }) => id === item.id);
      return [...new Set(item.events)].map((name) => {
        return { name, who: `Item ${at + 1}`, path: `items.${at}.completed_when` };
      });
    }),
  ];
  if (events.length === 0) return [];
  const rows = await ctx.heavyDb
    .selectFrom('properties')
    .select(['prop', 'last_seen_at'])
    .where('account_id', '=', ctx.account.id)
    .where('kind', '=', 'event_name')
    .where('prop', 'in', [...new Set(events.map(({ name }) => name))])
    .execute();
  const known = new Map(rows.map(({ prop, last_seen_at }) => [prop, last_seen_at]));
  const since = ctx.now() - EVENT_DAYS * DAY_MS;
  return events.flatMap(({ name, who, path }): Warning[] => {
    const words = `${who} waits for the event “${name}”, which no one`;
    if (!known.has(name)) return [{ code: 'event_unknown', message: `${words} has ever sent`, path }];
    if ((known.get(name) ?? 0) >= since) return [];
    return [{ code: 'event_not_sent', message: `${words} sent in the last ${EVENT_DAYS} days`, path }];
  });
}

/** Users of a language see the default text where there is no translation. */
async function warnOfLanguages(
  ctx: Context,
  id: string,
  draft: Document,
  languages: readonly string[],
): Promise<Warning[]> {
  const counts = await countTexts(ctx, [{ id, draft }], languages);
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
