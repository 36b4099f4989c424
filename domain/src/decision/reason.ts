import { type Millis, toTimestamp } from '../basics/time.ts';
import { MAX_KEPT_BACK_SECONDS } from '../content/unfinished.ts';
import type { LimitMeasure } from './limit-group.ts';

/** The reason why an Experience or a Delivery does not show. */
export type Reason =
  /** `problem` is a sentence already. */
  | { rule: 'page'; problem: string }
  | { rule: 'disabled' }
  /** `because` says why a draft is not live. */
  | { rule: 'live'; because?: 'archived' | 'ended' }
  /** `is` is null on a page without a host. */
  | { rule: 'environment'; is: string | null; wanted: string[] }
  | { rule: 'blocked'; host: string }
  | { rule: 'url'; continues: boolean; skipped?: readonly string[] }
  | { rule: 'manual' }
  /** It starts on an event. `last`: when the user did it last, if that is known. */
  | { rule: 'event'; name: string; last: Millis | null }
  /** `experiment`: the one that is for these Segments, instead of the Experience. */
  | { rule: 'segments'; names: string[]; any: boolean; experiment?: string }
  | { rule: 'excluded'; names: string[] }
  /** The user is in another arm of an experiment. `exposedAt` is null as long as the user can still be moved to another arm. */
  | { rule: 'variant'; experiment: string; variant: string; isControl: boolean; exposedAt: Millis | null }
  | { rule: 'holdout'; until: Millis }
  | { rule: 'experiment'; percent: number; low: number; high: number }
  | { rule: 'snoozed'; until: Millis }
  | { rule: 'seen'; state: 'completed' | 'exited'; at: Millis; again: Millis | null }
  /** `of`: what of the Experiences that began is limited, if it is not their number. */
  | { rule: 'limit'; name: string; count: number; max_count: number; period_hours: number; of?: LimitMeasure }
  /** The survey has all answers that it is to have, of everybody or of the users of a Segment. */
  | { rule: 'responses'; count: number; segment: string | null }
  /** The user is in the middle of another Experience. `isNext`: this one shows if the step of the other cannot show on the page. */
  | { rule: 'another'; name: string; isNext?: boolean }
  /* These are only for Deliveries. */
  | { rule: 'from'; at: Millis }
  | { rule: 'until'; at: Millis }
  | { rule: 'once'; at: Millis };

/** The rule of every reason. API clients see it as the code of the reason. */
export const reasonRules = [
  ...([
    'page',
    'disabled',
    'live',
    'environment',
    'blocked',
    'url',
    'manual',
    'event',
    'segments',
    'excluded',
  ] as const),
  ...(['variant', 'holdout'] as const),
  ...(['experiment', 'snoozed', 'seen', 'responses', 'limit', 'another', 'from', 'until', 'once'] as const),
] as const satisfies readonly Reason['rule'][];

/** Describes a reason for administrators. */
export function describeReason(reason: Reason): string {
  switch (reason.rule) {
    case 'page':
      return reason.problem;
    case 'disabled':
      return 'The user is switched off: the property `disabled` is true';
    case 'live':
      if (reason.because === 'archived') return 'It is archived: take it out of the archive first';
      if (reason.because === 'ended') return 'Its end has passed: choose a later one, or none';
      return 'It is not live: it was not published, or its time has not come or is over';
    case 'environment':
      return `This page belongs to ${reason.is === null ? 'no Environment, because its address has no host' : `the Environment ${quote([reason.is])}`}: it shows only in ${quote(reason.wanted)}`;
    case 'blocked':
      return `It does not show on the domain ${quote([reason.host])}, which it leaves out`;
    case 'url':
      return `${
        reason.continues
          ? 'The user is in the middle of it, but its step does not show on this page'
          : 'This page is none of those on which it begins'
      }${describeSkipped(reason.skipped)}`;
    case 'manual':
      return 'It does not start automatically: its style is manual';
    case 'event':
      return `It waits for the event ${quote([reason.name])}: ${
        reason.last === null
          ? 'the user has not done it'
          : `the user did it last on ${toTimestamp(reason.last)}, and that one does not count: it is too old, has started it already, or does not match the filters`
      }`;
    case 'segments':
      return `The user is ${reason.any && reason.names.length > 1 ? 'in none of' : 'not in'} the ${plural('Segment', reason.names)} ${quote(reason.names)}${reason.experiment === undefined ? '' : `, which the experiment ${quote([reason.experiment])} is for`}`;
    case 'excluded':
      return `The user is in the ${plural('Segment', reason.names)} ${quote(reason.names)}, which it excludes`;
    case 'variant':
      return `The user is in another arm of the experiment ${quote([reason.experiment])}: ${quote([reason.variant])}${reason.isControl ? ', which sees nothing' : ''}. ${describeArm(reason.exposedAt)}`;
    case 'holdout':
      return `The user is in the holdout of the account: until ${toTimestamp(reason.until)}, nothing shows automatically`;
    case 'experiment':
      return `The user is not part of the experiment: it is for ${reason.low} to ${reason.high} percent, and the user is at ${reason.percent}`;
    case 'snoozed':
      return `The user asked to be reminded on ${toTimestamp(reason.until)}`;
    case 'seen':
      return `Shown already: ${reason.state} on ${toTimestamp(reason.at)}${describeRepeat(reason.again)}`;
    case 'responses':
      return reason.segment === null
        ? `The survey has its ${reason.count} ${reason.count === 1 ? 'answer' : 'answers'}, so it does not start any more`
        : `The Segment ${quote([reason.segment])} has given its ${reason.count} ${reason.count === 1 ? 'answer' : 'answers'} to the survey, so it does not start for its users any more`;
    case 'limit':
      if (reason.of)
        return `The limit ${quote([reason.name])} is reached: the user had ${describeLimited(reason.of, reason.count)} ${describeDays(reason.period_hours)}, and ${describeLimited(reason.of, reason.max_count)} are the most`;
      return `The limit ${quote([reason.name])} is reached: ${reason.count} began in the last ${reason.period_hours} hours, and ${reason.max_count} are the most`;
    case 'another':
      return `Another one comes first: ${quote([reason.name])}${describeNext(reason.isNext)}`;
    case 'from':
      return `Its time has not come: it begins on ${toTimestamp(reason.at)}`;
    case 'until':
      return `Its time is over: it ended on ${toTimestamp(reason.at)}`;
    case 'once':
      return `The user has seen it before, on ${toTimestamp(reason.at)}, and it is to be seen once`;
  }
}

/**
 * What a page learns about a reason: a code, and the same in words. Anyone can load a page, so it is less than administrators learn: no
 * names of Environments or Segments, no patterns, no times.
 */
export const pageReasons = {
  disabled: 'The user is switched off',
  not_live: 'It is not live',
  other_page: 'It does not show on this page',
  segment: 'It is not for this user',
  seen: 'The user has seen it before',
  unavailable: 'It cannot show now',
};
export type PageReasonCode = keyof typeof pageReasons;

export function reasonCodeOf({ rule }: Reason): PageReasonCode {
  switch (rule) {
    case 'disabled':
      return 'disabled';
    case 'live':
      return 'not_live';
    case 'url':
    case 'environment':
    case 'blocked':
      return 'other_page';
    case 'segments':
    case 'excluded':
      return 'segment';
    case 'once':
      return 'seen';
    default:
      return 'unavailable';
  }
}

function describeSkipped(skipped: readonly string[] = []): string {
  if (skipped.length === 0) return '';
  const patterns = [...new Set(skipped)].map((pattern) => (pattern.length > 60 ? `${pattern.slice(0, 60)}…` : pattern));
  return `. Not tested to the end: the ${plural('pattern', patterns)} ${quote(patterns)}, because matching took too many steps on this address. Simplify the regular expressions of this account, or use the match type simple`;
}

/** Why a user is in an arm. */
export function describeArm(exposedAt: Millis | null): string {
  return exposedAt === null
    ? 'The arm follows from the shares, and stays as soon as something could show to the user'
    : `The arm was chosen on ${toTimestamp(exposedAt)}, and stays`;
}

function describeLimited(measure: LimitMeasure, count: number): string {
  return `${count} ${count === 1 ? measure.slice(0, -1) : measure}`;
}

/** Steps and seconds are counted by day. */
function describeDays(hours: number): string {
  const days = hours / 24;
  return days === 1 ? 'today' : `in the last ${days} days`;
}

function describeNext(isNext = false): string {
  return isNext
    ? `. The user is in the middle of that one. If its step cannot show on this page, this one shows after ${MAX_KEPT_BACK_SECONDS} seconds`
    : '';
}

function describeRepeat(again: Millis | null): string {
  return again === null ? '' : `; it comes again on ${toTimestamp(again)}`;
}

function quote(names: readonly string[]): string {
  return names.map((name) => `“${name}”`).join(', ');
}

function plural(word: string, names: readonly unknown[]): string {
  return names.length === 1 ? word : `${word}s`;
}
