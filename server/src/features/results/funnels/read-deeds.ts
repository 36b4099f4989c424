import type { Millis } from '@usher/domain';
import { takeBreaks } from '../../../take-breaks.ts';
import type { Deeds } from './follow-steps.ts';
import { PROFILE_LENGTH, RECORD_LENGTH, TIME_LENGTH } from './read-records.ts';

/** Page loads wait for this long at most. */
const MAX_WORK_MS: Millis = 2;
/** Two times of a state within a second are of one report. */
const ONE_REPORT_MS: Millis = 1000;

/**
 * Goes through the people of a chunk in the order of their IDs, and calls `onPerson` with what each of them did. The same object comes again for
 * each of them. A state comes before an event of the same millisecond.
 */
export async function readDeeds(
  events: string,
  states: string,
  onPerson: (profileId: string, deeds: Deeds) => void,
): Promise<void> {
  const takeBreak = takeBreaks(MAX_WORK_MS);
  const deeds: Deeds = { count: 0, times: [], masks: [] };
  const add = (time: Millis, mask: number) => {
    deeds.times[deeds.count] = time;
    deeds.masks[deeds.count] = mask;
    deeds.count += 1;
  };
  const lastOf = new Map<number, Millis>();
  let event = 0;
  let state = 0;
  for (let people = 0; event < events.length || state < states.length; people++) {
    const profileId = firstOf(events.substr(event, PROFILE_LENGTH), states.substr(state, PROFILE_LENGTH));
    deeds.count = 0;
    lastOf.clear();
    let hasEvent = events.startsWith(profileId, event);
    let hasState = states.startsWith(profileId, state);
    while (hasEvent || hasState) {
      const at = hasState ? timeAt(states, state) : Number.POSITIVE_INFINITY;
      const eventAt = hasEvent ? timeAt(events, event) : Number.POSITIVE_INFINITY;
      if (at <= eventAt) {
        const mask = maskAt(states, state);
        if (at - (lastOf.get(mask) ?? Number.NEGATIVE_INFINITY) >= ONE_REPORT_MS) {
          add(at, mask);
          lastOf.set(mask, at);
        }
        state += RECORD_LENGTH;
        hasState = states.startsWith(profileId, state);
      } else {
        add(eventAt, maskAt(events, event));
        event += RECORD_LENGTH;
        hasEvent = events.startsWith(profileId, event);
      }
    }
    onPerson(profileId, deeds);
    if (people % 64 === 0) await takeBreak();
  }
}

function firstOf(one: string, other: string): string {
  if (one === '' || other === '') return one || other;
  return one < other ? one : other;
}

const SECONDS_LENGTH = 8;

function timeAt(text: string, record: number): Millis {
  const start = record + PROFILE_LENGTH;
  const seconds = hexAt(text, start, start + SECONDS_LENGTH);
  return seconds * 1000 + hexAt(text, start + SECONDS_LENGTH, start + TIME_LENGTH);
}

function maskAt(text: string, record: number): number {
  return hexAt(text, record + PROFILE_LENGTH + TIME_LENGTH, record + RECORD_LENGTH);
}

/** Much faster than `Number.parseInt` of a part of the text. */
function hexAt(text: string, start: number, end: number): number {
  let value = 0;
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    value = value * 16 + (code < 58 ? code - 48 : code - 87);
  }
  return value;
}
