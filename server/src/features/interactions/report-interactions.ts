import {
  type Activity,
  applyReport,
  buildButtonPatch,
  type ExperienceParts,
  findSeenPart,
  type InteractionState,
  type Millis,
  minShowingGap,
  momentOfReport,
  type Progress,
  type ReportResult,
  type ReportsInput,
  resolveGroup,
  type WebhookEvent,
} from '@usher/domain';
import type { Context } from '../../context.ts';
import { ApiError } from '../../errors.ts';
import { currentAccount } from '../../pages/current-account.ts';
import type { VisitRequest } from '../../pages/page-request.ts';
import type { Visit } from '../../pages/visit-token.ts';
import type { PublishedAccount } from '../../published/published-cache.ts';
import { eventsOfReport } from '../../webhooks/events/events-of-report.ts';
import { recordWebhookEvents } from '../../webhooks/events/record-webhook-events.ts';
import { changeProfiles } from '../profiles/save-profiles.ts';
import { type SeenValues, withPropertyRegistry } from '../properties/seen.ts';
import { type Checked, createCheck, notLive } from './check-report.ts';
import { type Claim, judgeClaim, triggerDelivery } from './claim-delivery.ts';
import { findProgress, lockVisitor, noteActivity, noteFinding, type StoredProgress, storeProgress } from './queries.ts';
import { finishResponse, storeAnswer } from './store-response.ts';

interface Reported {
  /** Null where a problem, or a claim that was lost, is all that was ever reported. */
  interaction: { id: string; state: InteractionState } | null;
  delivery?: { id: string; triggered: boolean };
}
type Refused = Pick<ApiError, 'code' | 'messages'>;

const DEFAULT_SNOOZE_HOURS = 24;

/** Notes what a page reports: one thing, or several of which each counts or is refused for itself. */
export async function reportInteractions(
  { ctx, account: known, visit, reportBudget }: VisitRequest,
  { items, ...one }: ReportsInput,
): Promise<Reported | { items: (Reported | Refused)[] }> {
  reportBudget.spend(known.id, visit.profileId, items?.length ?? 1);
  const account = await currentAccount(ctx, known);
  const check = createCheck(ctx, account);
  const checked: (Checked | ApiError)[] = [];
  for (const item of items ?? [one]) checked.push(await attempt(() => check(item)));
  const [first] = checked;
  if (!items && first instanceof ApiError) throw first;

  const { outcomes, toSend } = await withPropertyRegistry(ctx, 'browser', async (ctx, values) => {
    const visitor: Visitor = { ...(await lockVisitor(ctx, visit)), account, webhook_events: [], values };
    const outcomes: (Reported | ApiError)[] = [];
    for (const item of checked)
      outcomes.push(item instanceof ApiError ? item : await attempt(() => report(ctx, visit, visitor, item)));
    const [outcome] = outcomes;
    if (!items && outcome instanceof ApiError) throw outcome;
    return { outcomes, toSend: await recordWebhookEvents(ctx, account, visitor.id, visitor.webhook_events) };
  });
  if (toSend) ctx.app.webhooks.wake(account.id);
  if (items) return { items: outcomes.map((outcome) => (outcome instanceof ApiError ? toItem(outcome) : outcome)) };
  return outcomes[0] as Reported;
}

function toItem({ code, messages }: ApiError): Refused {
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

/** Of the user, while held. */
interface Visitor {
  id: string;
  delivery_ids: string[];
  account: PublishedAccount;
  /** What webhooks are told of what was reported so far. */
  webhook_events: WebhookEvent[];
  /** The properties that clicked buttons have set so far. */
  values: SeenValues;
}

/** Refuses before it writes: nothing is half done. */
async function report(ctx: Context, visit: Visit, visitor: Visitor, checked: Checked): Promise<Reported> {
  const now = ctx.now();
  const { report, experience, question } = checked;
  const { experience_id, href, problem } = report;
  const whose = { profile_id: visitor.id, experience_id };
  const before = await findProgress(ctx, visitor.id, experience_id);
  if (problem && href) {
    if (!before && !experience) throw notLive();
    const part_id = report.step_id ?? experience_id;
    await noteFinding(ctx, whose, visit.at, { part_id, href, finding: problem.reason });
    return { interaction: before ? { id: before.id, state: before.state } : null };
  }
  const claim = claimOf(visit, visitor.account, checked, before, now);
  const verdict = claim && (await judgeClaim(ctx, visitor.id, claim, now));
  const payload = claim && { delivery: { id: claim.deliveryId, triggered: verdict !== 'lost' } };
  if (verdict === 'lost') return { interaction: before ? { id: before.id, state: before.state } : null, ...payload };
  if (!before && !experience) throw notLive();

  const reported = reportedBy(visit, visitor, checked, before, verdict === 'won', now);
  const outcome = applyReport(before, reported, now);
  const { after, counts, activities } = outcome;
  // By the day of the page load: a report that comes again after midnight tells nothing new.
  for (const one of activities) {
    const isNew = await noteActivity(ctx, whose, visit.at, one);
    if (isNew && one.what === 'button') await applyButton(ctx, visitor, checked.parts, one.part_id);
  }
  const part_id = counts && href ? findSeenPart(report, checked.parts) : undefined;
  if (part_id && href) await noteFinding(ctx, whose, visit.at, { part_id, href, finding: 'found' });
  // From here on with the clock of the account, for which others wait.
  const interaction = await storeProgress(ctx, whose, before, after);
  const showing = { ...whose, showing_from: after.showing_from };
  const response = counts ? report.response : undefined;
  if (question && response)
    await storeAnswer(ctx, showing, { question, parts: checked.parts, response, href: href ?? null });
  const finishedIds =
    visitor.account.kindOf(experience_id) === 'survey'
      ? await finishResponses(ctx, showing, before, outcome, !!response)
      : [];
  if (claim && verdict === 'won') visitor.delivery_ids = await triggerDelivery(ctx, visitor, claim, interaction.id);
  const deliveryId = verdict === 'won' ? claim?.deliveryId : undefined;
  const { steps } = checked.parts;
  const stored = { experience_id, report, steps, before, facts: reported, result: outcome, deliveryId, finishedIds };
  visitor.webhook_events.push(...eventsOfReport(visitor.account, stored));
  return { interaction, ...payload };
}

/**
 * Sets what a clicked button says of the user, as it was published: the page has no part in it, so it counts as written by
 * the backend. A click counts also where there is no room left for the property.
 */
async function applyButton(
  ctx: Context,
  { id, values }: Visitor,
  { steps }: ExperienceParts,
  buttonId: string,
): Promise<void> {
  const button = steps.flatMap(({ buttons }) => buttons).find((one) => one.id === buttonId);
  const custom = button ? buildButtonPatch(button, ctx.now()) : {};
  if (Object.keys(custom).length > 0) await changeProfiles(ctx, [{ id, custom }], 'ignore', values);
}

/** A Response is finished when its showing ends, or when a new showing begins instead. */
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

/** A Delivery is claimed by whoever starts it. */
function claimOf(
  { at, nonce }: Visit,
  { patternSteps }: PublishedAccount,
  { report, experience }: Checked,
  before: StoredProgress | undefined,
  now: Millis,
): Claim | undefined {
  if (!report.delivery_id || report.state !== 'started') return undefined;
  return {
    deliveryId: report.delivery_id,
    by: `${momentOfReport(at, report.showing, now)} ${nonce}`,
    experienceId: report.experience_id,
    patternSteps,
    experience,
    seen: (before?.started_at ?? null) !== null,
    href: report.href ?? null,
  };
}

function reportedBy(
  { at: visitAt }: Visit,
  { account }: Visitor,
  { report, experience, parts }: Checked,
  before: StoredProgress | undefined,
  claims: boolean,
  now: Millis,
) {
  const { showing, state, step_id, button_id, response } = report;
  const inExperiment = experience?.experiment !== undefined && experience.experiment.at <= now;
  const placeOf = (step: string) => parts.steps.findIndex(({ id }) => id === step);
  const seen = parts.steps[placeOf(step_id ?? before?.step_id ?? '')] ?? parts.steps[0];
  return {
    moment: momentOfReport(visitAt, showing, now),
    visitAt,
    state: state ?? undefined,
    step_id: step_id ?? undefined,
    button_id: button_id ?? response?.button_id ?? undefined,
    answers: response != null,
    claims,
    group: claims ? ({ group_kind: 'api_js', group_id: null } as const) : resolveGroup(report, inExperiment),
    gap: minShowingGap(account.kindOf(report.experience_id)),
    snoozeHours: report.snooze_hours ?? seen?.snooze_hours ?? DEFAULT_SNOOZE_HOURS,
    isAfter: (step: string, other: string) => placeOf(step) > placeOf(other),
  };
}
