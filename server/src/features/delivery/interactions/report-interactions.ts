import {
  type Activity,
  applyReport,
  type BrowserFamily,
  bestLanguage,
  browserFamilyOf,
  buildAnswerPatch,
  buildButtonPatch,
  type CustomPatch,
  countsForStepHealth,
  DEFAULT_SNOOZE_HOURS,
  type Device,
  dayOf,
  deviceOf,
  type ExperienceParts,
  findExperimentOf,
  findHostState,
  findSeenPart,
  type Host,
  type InteractionState,
  kinds,
  listSnoozeHours,
  type Millis,
  measureRow,
  minShowingGap,
  momentOfReport,
  type PageEnvironment,
  type PendingStart,
  type Progress,
  parsePageHost,
  type Report,
  type ReportResult,
  type ReportsInput,
  resolveGroup,
  timeOfId,
  type WebhookEvent,
} from '@usher/domain';
import type { Context } from '../../../context.ts';
import { ApiError, conflict } from '../../../errors.ts';
import { currentAccount } from '../../../pages/current-account.ts';
import type { VisitRequest } from '../../../pages/page-request.ts';
import type { Visit } from '../../../pages/visit-token.ts';
import { findUrlGroupId, type PublishedAccount } from '../../../published/published-account.ts';
import { eventsOfReport } from '../../../webhooks/events/events-of-report.ts';
import { recordWebhookEvents } from '../../../webhooks/events/record-webhook-events.ts';
import { changeProfiles } from '../../audience/profiles/save-profiles.ts';
import { type SeenValues, withPropertyRegistry } from '../../audience/properties/seen.ts';
import { countAnswers } from '../../results/counts/use-counts.ts';
import { findVariantId, recordContamination } from '../exposures/record-contamination.ts';
import { decideStart, type StartClaim, storeStarts } from '../starts/claim-start.ts';
import { type CheckedReport, createReportChecker, notLive } from './check-report.ts';
import { type Claim, decideClaim, triggerDelivery } from './claim-delivery.ts';
import { type AnswerLink, findLinkResponse } from './find-link-response.ts';
import { findQuotaSegments } from './find-quota-segments.ts';
import { findProgress, lockPageProfile, type StoredProgress, storeProgress } from './queries.ts';
import { countActivities, type Dimensions, recordActivities } from './record-activities.ts';
import { recordFinding } from './record-finding.ts';
import { recordSteps } from './record-steps.ts';
import { ReportRoom } from './report-room.ts';
import { finishResponse, storeAnswer } from './store-response.ts';

interface AcceptedReport {
  /** Null when only problems or lost claims were ever reported. */
  interaction: { id: string; state: InteractionState } | null;
  delivery?: { id: string; triggered: boolean };
  /** With `by_event`: whether this showing has claimed the event. */
  start?: { triggered: boolean };
}
type RejectedReport = Pick<ApiError, 'code' | 'messages'>;

/**
 * Records what a page reports: one report, or a batch in which each report is accepted or rejected on its own. With `link`, the public page
 * of a survey reports, and the first report begins a showing of its own.
 */
export async function reportInteractions(
  {
    ctx,
    account: known,
    visit,
    host,
    userAgent,
    reportBudget,
  }: Pick<VisitRequest, 'ctx' | 'account' | 'visit' | 'host' | 'userAgent' | 'reportBudget'>,
  { items, ...report }: ReportsInput,
  link?: AnswerLink,
): Promise<AcceptedReport | { items: (AcceptedReport | RejectedReport)[] }> {
  reportBudget.spend(known.id, visit.profileId, items?.length ?? 1);
  const account = await currentAccount(ctx, known);
  const check = createReportChecker(ctx, account);
  const checked: (CheckedReport | ApiError)[] = [];
  for (const item of items ?? [report]) checked.push(await attempt(() => check(item)));
  const [first] = checked;
  if (!items && first instanceof ApiError) throw first;

  const browser = browserFamilyOf(userAgent);
  const { outcomes, room, toSend } = await withPropertyRegistry(
    ctx,
    { integration: 'browser' },
    async (ctx, values) => {
      const locked = await lockPageProfile(ctx, visit);
      const known = link && (await findLinkResponse(ctx, locked.id, link));
      if (known && known.finished_at !== null) throw conflict('You have already answered this survey');
      const is_known = countsForStepHealth(visit.isProven, timeOfId(locked.id), visit.at);
      const room = new ReportRoom(ctx, visit, link?.experienceId);
      const facts = { account, browser, device: deviceOf(userAgent), host, is_known, room };
      const answers = { linkId: link?.id ?? null, startsShowing: link !== undefined && !known };
      const pageProfile: LockedPageProfile = { ...locked, ...facts, ...answers, webhook_events: [], values };
      const outcomes: (AcceptedReport | ApiError)[] = [];
      for (const item of checked)
        outcomes.push(
          item instanceof ApiError ? item : await attempt(() => storeReport(ctx, visit, pageProfile, item)),
        );
      const [outcome] = outcomes;
      if (!items && outcome instanceof ApiError) throw outcome;
      const toSend = await recordWebhookEvents(ctx, account, pageProfile.id, pageProfile.webhook_events);
      room.add('reports', toSend);
      return { outcomes, room, toSend };
    },
  );
  room.count();
  if (toSend > 0) ctx.app.webhooks.wake(account.id);
  if (items)
    return { items: outcomes.map((outcome) => (outcome instanceof ApiError ? toRejectedReport(outcome) : outcome)) };
  return outcomes[0] as AcceptedReport;
}

function toRejectedReport({ code, messages }: ApiError): RejectedReport {
  return { code, messages };
}

async function attempt<T>(work: () => Promise<T>): Promise<T | ApiError> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

/** The user, locked, and what the reports of this request have changed so far. */
interface LockedPageProfile {
  id: string;
  delivery_ids: string[];
  pending_starts: readonly PendingStart[];
  browser_l: string | null;
  is_test: boolean;
  account: PublishedAccount;
  browser: BrowserFamily;
  device: Device;
  host: Host | undefined;
  /** Whether what this user finds counts when a step is called failing. */
  is_known: boolean;
  room: ReportRoom;
  /** The link that answers on a public page. */
  linkId: string | null;
  /** Whether the next report begins a showing, whatever the user has seen in the product. */
  startsShowing: boolean;
  /** The webhook events of the reports so far. */
  webhook_events: WebhookEvent[];
  /** The properties that clicked buttons have set so far. */
  values: SeenValues;
}

/** Stores one report. It rejects before it writes, so that nothing is half done. */
async function storeReport(
  ctx: Context,
  visit: Visit,
  pageProfile: LockedPageProfile,
  checked: CheckedReport,
): Promise<AcceptedReport> {
  const now = ctx.now();
  const { report, experience, question } = checked;
  const { experience_id, href, problem } = report;
  const { browser, is_known, is_test, room } = pageProfile;
  const key = { profile_id: pageProfile.id, experience_id };
  const before = await findProgress(ctx, pageProfile.id, experience_id);
  if (problem && href) {
    if (!before && !experience) throw notLive();
    const part_id = report.step_id ?? experience_id;
    if (room.allows('problems') && room.allows('reports')) {
      const found = { part_id, href, finding: problem.reason, browser, is_known };
      const bytes = await recordFinding(ctx, key, visit, found);
      room.add('reports', bytes);
      room.add('problems', 0, bytes > 0 ? 1 : 0);
    }
    return { interaction: before ? { id: before.id, state: before.state } : null };
  }
  const claim = toClaim(visit, pageProfile, checked, before, now);
  const claimOutcome = claim && (await decideClaim(ctx, pageProfile.id, claim, now));
  const delivery = claim && { delivery: { id: claim.deliveryId, triggered: claimOutcome !== 'lost' } };
  const startClaim = claim ? undefined : toStartClaim(visit, pageProfile, checked, before, now);
  const startOutcome = startClaim && decideStart(startClaim, now);
  const start = startOutcome && { start: { triggered: startOutcome.is !== 'lost' } };
  if (claimOutcome === 'lost' || startOutcome?.is === 'lost')
    return { interaction: before ? { id: before.id, state: before.state } : null, ...delivery, ...start };
  if (!before && !experience) throw notLive();
  // Deliveries are from the backend, so showing one is not limited. Without room, an Interaction that exists still changes.
  const hasRoom = claim !== undefined || room.allows('reports');
  if (!hasRoom && !before) return { interaction: null };

  const claims = claimOutcome === 'won' ? 'delivery' : startOutcome?.is === 'won' ? 'event' : undefined;
  const reported = toReported(visit, pageProfile, checked, before, claims, now);
  const result = applyReport(before, reported, now);
  pageProfile.startsShowing = false;
  const { after, counts, activities } = result;
  // Activities count for the day of the page load, so that a report repeated after midnight is not counted again.
  const { timeZone } = pageProfile.account;
  const dimensions = {
    ...findDimensions(pageProfile, checked),
    variant: await findVariantId(ctx, pageProfile.account, key),
  };
  const today = dayOf(visit.at, timeZone);
  const found = hasRoom ? await recordActivities(ctx, key, today, activities, dimensions) : [];
  const onSteps = hasRoom
    ? await recordSteps(ctx, key, { today, visitAt: visit.at, before, steps: result.steps }, dimensions)
    : [];
  for (const { what, part_id, reach = [] } of [...found, ...onSteps]) {
    room.add('reports', measureRow('activity') * (1 + reach.length));
    if (what === 'button') await applyButton(ctx, pageProfile, checked.parts, part_id);
  }
  if (counts && hasRoom && question && report.response)
    await applyProperties(ctx, pageProfile, buildAnswerPatch(question, report.response, now));
  const part_id = counts && href && hasRoom ? findSeenPart(report, checked.parts) : undefined;
  if (part_id && href) {
    const found = { part_id, href, finding: 'found' as const, browser, is_known };
    room.add('reports', await recordFinding(ctx, key, visit, found));
  }
  const segmentIds = hasRoom && report.response ? await findQuotaSegments(ctx, pageProfile, experience) : [];
  // From here on the transaction holds the clock of the account, for which others wait.
  const { isNew, ...interaction } = await storeProgress(ctx, key, before, after, !is_test);
  if (!is_test) {
    await countActivities(ctx, key, found, dimensions);
    await countActivities(ctx, key, onSteps, dimensions);
  }
  await recordContamination(ctx, pageProfile.account, key, activities);
  if (isNew) room.add('reports', measureRow('interaction'));
  const showing = { ...key, showing_from: after.showing_from };
  const response = counts && hasRoom ? report.response : undefined;
  if (question && response && room.allows('responses')) {
    const { linkId: link_id } = pageProfile;
    const answer = {
      question,
      parts: checked.parts,
      response,
      href: href ?? null,
      link_id,
      language: dimensions.language,
      segmentIds,
      timeZone,
    };
    const store = () => storeAnswer(ctx, showing, answer);
    const scope = { profileIds: [key.profile_id], experienceId: experience_id };
    const { records, bytes } = await (is_test ? store() : countAnswers(ctx, scope, store));
    room.add('responses', bytes, records);
  }
  const kind = pageProfile.account.kindOf(experience_id);
  const finishedIds = kind && kinds[kind].asks ? await finishResponses(ctx, showing, before, result, !!response) : [];
  if (claim && claimOutcome === 'won')
    pageProfile.delivery_ids = await triggerDelivery(ctx, pageProfile, claim, interaction.id);
  const deliveryId = claimOutcome === 'won' ? claim?.deliveryId : undefined;
  await storeStarts(ctx, pageProfile, startOutcome, { experience, before, after });
  if (!hasRoom) return { interaction, ...start };
  const { steps } = checked.parts;
  const stored = { experience_id, report, steps, before, facts: reported, result, deliveryId, finishedIds };
  pageProfile.webhook_events.push(...eventsOfReport(pageProfile.account, stored));
  return { interaction, ...delivery, ...start };
}

/**
 * Sets the properties of a clicked button as they were published. The page cannot change them, so they count as written by
 * the backend. The click counts even when there is no room left for the property.
 */
async function applyButton(
  ctx: Context,
  { id, values }: LockedPageProfile,
  { steps }: ExperienceParts,
  buttonId: string,
): Promise<void> {
  const button = steps.flatMap(({ buttons }) => buttons).find(({ id }) => id === buttonId);
  await applyProperties(ctx, { id, values }, button ? buildButtonPatch(button, ctx.now()) : {});
}

async function applyProperties(
  ctx: Context,
  { id, values }: Pick<LockedPageProfile, 'id' | 'values'>,
  custom: CustomPatch,
): Promise<void> {
  if (Object.keys(custom).length > 0) await changeProfiles(ctx, [{ id, custom }], 'ignore', values);
}

/** Finishes a Response when its showing ends, or when a new showing begins instead. */
async function finishResponses(
  ctx: Context,
  showing: { profile_id: string; experience_id: string; showing_from: Millis },
  before: StoredProgress | undefined,
  { after, activities }: ReportResult,
  answered: boolean,
): Promise<string[]> {
  const finished: (string | undefined)[] = [];
  if (before && before.showing_from !== after.showing_from)
    finished.push(await finishResponse(ctx, { ...showing, showing_from: before.showing_from }));
  if (activities.some(({ what }) => endings.has(what)) || (answered && isOverNow(after)))
    finished.push(await finishResponse(ctx, showing));
  return finished.filter((id) => id !== undefined);
}

const endings: ReadonlySet<Activity> = new Set(['completed', 'exited', 'snoozed']);

function isOverNow({ state, defer_until }: Progress): boolean {
  return state === 'completed' || state === 'exited' || defer_until !== null;
}

/** A report claims a Delivery when it starts its Experience. */
function toClaim(
  { at, nonce }: Visit,
  { account, host }: LockedPageProfile,
  { report, experience }: CheckedReport,
  before: StoredProgress | undefined,
  now: Millis,
): Claim | undefined {
  if (!report.delivery_id || report.state !== 'started') return undefined;
  return {
    deliveryId: report.delivery_id,
    by: `${momentOfReport(at, report.showing, now)} ${nonce}`,
    experienceId: report.experience_id,
    patternSteps: account.patternSteps,
    urlGroupId: findEnvironment(account, host, report),
    experience,
    seen: (before?.started_at ?? null) !== null,
    href: report.href ?? null,
  };
}

/** A report claims an event when the event starts its Experience. */
function toStartClaim(
  { at, nonce }: Visit,
  { account, host, pending_starts: starts }: LockedPageProfile,
  { report, experience }: CheckedReport,
  before: StoredProgress | undefined,
  now: Millis,
): StartClaim | undefined {
  if (!report.by_event || report.state !== 'started') return undefined;
  return {
    by: `${momentOfReport(at, report.showing, now)} ${nonce}`,
    patternSteps: account.patternSteps,
    urlGroupId: findEnvironment(account, host, report),
    href: report.href ?? null,
    ...{ starts, experience, before },
  };
}

/** A batch has an address for each report, and none of its own: without `Origin`, the address counts if its host is on. */
function findEnvironment(account: PublishedAccount, host: Host | undefined, { href }: Report): PageEnvironment {
  if (host) return findUrlGroupId(account, host.host);
  const named = parsePageHost(href ?? '');
  const isOn = named && findHostState(named.host, account.urls) === 'on';
  return isOn ? findUrlGroupId(account, named.host) : undefined;
}

function findDimensions(
  { account, browser_l, device, host }: LockedPageProfile,
  { report, experience }: CheckedReport,
): Omit<Dimensions, 'variant'> {
  const translations = experience?.translations;
  const language = translations && bestLanguage(browser_l, { has: (code) => Object.hasOwn(translations, code) });
  return {
    language: language ?? '',
    device,
    url_group_id: findEnvironment(account, host, report) ?? '',
    version_id: experience?.versionId ?? '',
  };
}

function toReported(
  { at: visitAt }: Visit,
  { account, startsShowing }: LockedPageProfile,
  { report, experience, parts }: CheckedReport,
  before: StoredProgress | undefined,
  claims: 'delivery' | 'event' | undefined,
  now: Millis,
) {
  const { showing, elapsed, state, step_id, button_id, response } = report;
  const inExperiment =
    (experience?.experiment !== undefined && experience.experiment.at <= now) ||
    findExperimentOf(account, report.experience_id) !== undefined;
  const placeOf = (step: string) => parts.steps.findIndex(({ id }) => id === step);
  const seen = parts.steps[placeOf(step_id ?? before?.step_id ?? '')] ?? parts.steps[0];
  return {
    moment: momentOfReport(visitAt, showing, now),
    visitAt,
    elapsed: elapsed ?? undefined,
    state: state ?? undefined,
    step_id: step_id ?? undefined,
    button_id: button_id ?? response?.button_id ?? undefined,
    answers: response != null,
    claims: claims !== undefined || startsShowing,
    group:
      claims === 'delivery' ? ({ group_kind: 'api_js', group_id: null } as const) : resolveGroup(report, inExperiment),
    gap: minShowingGap(account.kindOf(report.experience_id)),
    snoozeHours: report.snooze_hours ?? seen?.snooze_hours ?? listSnoozeHours(seen ?? {})[0] ?? DEFAULT_SNOOZE_HOURS,
    isAfter: (step: string, other: string) => placeOf(step) > placeOf(other),
  };
}
