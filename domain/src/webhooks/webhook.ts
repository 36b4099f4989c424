import { isOneOf } from '../basics/records.ts';
import type { Millis } from '../basics/time.ts';
import type { Button, Step } from '../content/experience.ts';
import type { AlertStyle } from '../decision/alert-group.ts';
import type { MemberKind } from '../decision/group-members.ts';
import type { BrowserFamily } from '../delivery/browser-family.ts';
import type { GroupKind, Report } from '../delivery/interaction.ts';
import type { Progress, ReportFacts, ReportResult } from '../delivery/interaction-progress.ts';
import { type ExperienceKind, listKindsWith } from '../kinds/kinds.ts';

/*
 * A webhook is a URL of the customer to which the server sends what users do. An item is one thing that it sends, and an
 * attempt is one request for an item.
 */

/** The kinds of Experiences whose events are sent to webhooks. */
export const webhookExperienceKinds = listKindsWith('hasWebhooks');
type WebhookExperienceKind = (typeof webhookExperienceKinds)[number];
const actions = ['started', 'completed', 'exited', 'snoozed', 'button.clicked'] as const;

const actionKinds = webhookExperienceKinds.flatMap((kind) => actions.map((action) => `${kind}.${action}` as const));
/** The kinds of items. */
export const webhookEventKinds = [
  'ping',
  'response.finished',
  ...actionKinds,
  'delivery.triggered',
  'experience.target_missing',
  'alert.triggered',
] as const;
export type WebhookEventKind = (typeof webhookEventKinds)[number];
/** What existing clients subscribe to, and what is never sent. */
export const unsentTopics = [
  'helpbar.search',
  'helpbar.item.action',
  'helpbar.item.error',
  'helpbar.answer',
  'demo.started',
  'demo.reveal',
  'demo.finished',
  'demo.form.submitted',
] as const;
/** What a webhook can subscribe to: one kind of item, or all kinds of an Experience. */
export const topics = [
  ...webhookEventKinds,
  ...webhookExperienceKinds.map((kind) => `${kind}.*` as const),
  ...unsentTopics,
] as const;
export type Topic = (typeof topics)[number];

/** A webhook of either kind receives the same. Existing clients find theirs by the kind that they have given it. */
export const webhookKinds = ['webhook', 'zapier_hook'] as const;
export type WebhookKind = (typeof webhookKinds)[number];

/** What the response to a request with these topics warns of. */
export function warnOfUnsentTopics(wanted: readonly Topic[] = []): string[] {
  return wanted
    .filter((topic) => isOneOf(unsentTopics, topic))
    .map((topic) => `\`${topic}\` is accepted, and never sent: Usher has nothing that it is about`);
}

/** A `pending` item is not sent yet, or will be sent again. A `failed` item is given up. */
export const itemStates = ['pending', 'sent', 'failed'] as const;
export type ItemState = (typeof itemStates)[number];

export const MAX_WEBHOOKS = 5;
const MAX_HREF = 2000;
const HOUR_MS: Millis = 60 * 60_000;
/** After a rotation, the old secret also signs for this long. */
export const SECRET_OVERLAP_MS: Millis = 24 * HOUR_MS;

/** A step as the user saw it. */
interface PayloadStep {
  id: string;
  /** 0 is the first. */
  index: number;
  preset: Step['preset'];
}
type PayloadButton = Pick<Button, 'id' | 'position' | 'text' | 'tour_action'>;

/** What an item refers to, with the values that may have changed by the time it is sent. */
export interface WebhookPayload {
  experience_id?: string;
  experience_kind?: ExperienceKind;
  /** What started the Experience. */
  group_kind?: GroupKind | null;
  group_id?: string | null;
  /** The end of the snooze, its hours, and how often the user has snoozed it. */
  defer_until?: Millis;
  defer_hours?: number;
  defer_count?: number;
  /** The address of the page. */
  href?: string | null;
  step?: PayloadStep | null;
  button?: PayloadButton;
  response_id?: string;
  delivery_id?: string;
  /** Why a step fails: the reason when it began to fail. */
  problem?: TargetProblem;
  alert?: TriggeredAlert;
}

/** What an item says about an alert group and its Experiences, as they were when the group was triggered. */
export interface TriggeredAlert {
  group: { id: string; name: string; kind: MemberKind; style: AlertStyle; interval: number };
  /** The first ones of them. */
  experiences: readonly AlertedExperience[];
  experiences_count: number;
}

/** A live Experience that an alert group alerts to. */
export interface AlertedExperience {
  id: string;
  kind: ExperienceKind;
  name: string | null;
  publishedAt: Millis;
  segmentId: string | null;
  /** Since when no one has seen it, or no one has completed it. */
  since: Millis;
}

/** What an item says about a step that has begun to fail. Nothing in it is about single users. */
export interface TargetProblem {
  /** How pages look for the element. */
  elements: Step['elements'];
  path: string;
  browser: BrowserFamily;
  users_count: number;
  total_users_count: number;
  since: Millis;
}

/** Something that happened, to be sent to webhooks. */
export interface WebhookEvent {
  kind: WebhookEventKind;
  payload: WebhookPayload;
  /** Identifies an event that a page may report again. */
  repeatKey?: string;
}

/** Whether a webhook subscribes to an event. An empty `experience_ids` means all Experiences; an alert is about several. */
export function isSubscribedTo(
  { topics, experience_ids }: { topics: readonly Topic[]; experience_ids: readonly string[] },
  { kind, payload: { experience_id = '', alert } }: Pick<WebhookEvent, 'kind' | 'payload'>,
): boolean {
  const ids = alert?.experiences.map(({ id }) => id) ?? [experience_id];
  if (experience_ids.length > 0 && !experience_ids.some((id) => ids.includes(id))) return false;
  return topics.includes(kind) || topics.includes(`${kind.split('.')[0]}.*` as Topic);
}

/** A report, and the Interaction before and after it. */
export interface AppliedReport {
  experience: { id: string; kind: ExperienceKind };
  report: Pick<Report, 'step_id' | 'href'>;
  steps: readonly (Pick<Step, 'id' | 'preset'> & { buttons: readonly PayloadButton[] })[];
  before: Progress | undefined;
  facts: Pick<ReportFacts, 'visitAt' | 'claims' | 'snoozeHours'>;
  result: Pick<ReportResult, 'after' | 'activities'>;
}

/** The webhook events of a report. There are none for the state `displayed`, and none for a repeated report. */
export function listWebhookEvents(applied: AppliedReport): WebhookEvent[] {
  const { experience, report, before, facts, result } = applied;
  if (!isSentToWebhooks(experience.kind)) return [];
  const kind = experience.kind;
  const { group_kind, group_id, step_id, defer_until, defer_count } = result.after;
  const common = {
    experience_id: experience.id,
    experience_kind: kind,
    group_kind,
    group_id,
    href: report.href?.slice(0, MAX_HREF) ?? null,
  };
  const step = toPayloadStep(applied, report.step_id ?? step_id);
  return result.activities.flatMap(({ what, part_id }): WebhookEvent[] => {
    if (what === 'button') {
      const clicked = findClicked(applied, part_id);
      if (!clicked) return [];
      // The moment is not part of the key, because a page could send any number of moments.
      const repeatKey = `${part_id} ${facts.visitAt} ${result.after.showing_from}`;
      return [{ kind: `${kind}.button.clicked`, payload: { ...common, ...clicked }, repeatKey }];
    }
    if (what === 'started' && isSameShowing(before, facts)) return [];
    if (what === 'snoozed' && defer_until !== null)
      return [
        {
          kind: `${kind}.snoozed`,
          payload: { ...common, step, defer_until, defer_hours: facts.snoozeHours, defer_count },
        },
      ];
    return what === 'started' || what === 'completed' || what === 'exited'
      ? [{ kind: `${kind}.${what}`, payload: { ...common, step } }]
      : [];
  });
}

function isSentToWebhooks(kind: ExperienceKind): kind is WebhookExperienceKind {
  return isOneOf(webhookExperienceKinds, kind);
}

/** Whether a start on another page continues the same showing, for which there was an event already. */
function isSameShowing(before: Progress | undefined, { claims }: AppliedReport['facts']): boolean {
  return before?.state === 'started' && before.defer_until === null && !claims;
}

function toPayloadStep({ steps }: AppliedReport, id: string | null): PayloadStep | null {
  const index = steps.findIndex((step) => step.id === id);
  const step = steps[index];
  return step ? { id: step.id, index, preset: step.preset } : null;
}

function findClicked(
  happening: AppliedReport,
  id: string,
): { step: PayloadStep | null; button: PayloadButton } | undefined {
  for (const step of happening.steps) {
    const button = step.buttons.find((one) => one.id === id);
    if (!button) continue;
    const { position, text, tour_action } = button;
    return { step: toPayloadStep(happening, step.id), button: { id, position, text, tour_action } };
  }
  return undefined;
}

/** The delays after each failed attempt: 43 hours in total. */
const retryDelays: readonly Millis[] = [
  10_000,
  60_000,
  5 * 60_000,
  23 * 60_000 + 50_000,
  1.5 * HOUR_MS,
  3 * HOUR_MS,
  6 * HOUR_MS,
  12 * HOUR_MS,
  20 * HOUR_MS,
];
const JITTER = 0.1;

/** The delay after this many attempts, with jitter so that not all retries come together. Undefined: the item is given up. */
export function nextAttemptDelay(attempts: number, random: () => number = Math.random): Millis | undefined {
  const pause = retryDelays[attempts - 1];
  return pause === undefined ? undefined : Math.round(pause * (1 - JITTER + 2 * JITTER * random()));
}
