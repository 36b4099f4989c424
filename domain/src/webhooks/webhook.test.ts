import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyReport, type Progress, type ReportFacts } from '../delivery/interaction-progress.ts';
import {
  type AppliedReport,
  isSubscribedTo,
  listWebhookEvents,
  nextAttemptDelay,
  topics,
  unsentTopics,
  type WebhookEvent,
  webhookEventKinds,
} from './webhook.ts';

const HOUR = 60 * 60_000;
const [tour, first, second, next, back] = ['a', '1', '2', 'b', 'c'].map((digit) => digit.repeat(24)) as [
  string,
  string,
  string,
  string,
  string,
];
const button = (id: string, text: string | null) => ({ id, position: 0, text, tour_action: null });
const steps = [
  { id: first, preset: null, buttons: [button(next, 'Next')] },
  { id: second, preset: 'thank_you' as const, buttons: [button(back, null)] },
];

describe('topics', () => {
  it('are ping, Responses, Deliveries, failing steps, alerts, the actions of tours, surveys and embeds, and what is accepted and never sent', () => {
    const done = ['started', 'completed', 'exited', 'snoozed', 'button.clicked'];
    const each = ['tour', 'survey', 'embed'].flatMap((kind) => done.map((action) => `${kind}.${action}`));
    expect([...webhookEventKinds].sort()).toEqual(
      [
        'ping',
        'response.finished',
        'delivery.triggered',
        'experience.target_missing',
        'alert.triggered',
        ...each,
      ].sort(),
    );
    expect([...topics].sort()).toEqual([...webhookEventKinds, ...unsentTopics, 'tour.*', 'survey.*', 'embed.*'].sort());
  });

  const subscribes = (topics: readonly string[], kind: string, experience_ids: string[] = []) =>
    isSubscribedTo({ topics: topics as never, experience_ids }, { kind, payload: { experience_id: tour } } as never);

  it('match their own kind, and with a star all kinds of an Experience', () => {
    for (const kind of webhookEventKinds) {
      expect(webhookEventKinds.filter((topic) => subscribes([topic], kind))).toEqual([kind]);
      const stars = ['tour.*', 'survey.*', 'embed.*'].filter((topic) => subscribes([topic], kind));
      expect(stars).toEqual(/^(tour|survey|embed)\./.test(kind) ? [`${kind.split('.')[0]}.*`] : []);
      expect(subscribes([], kind)).toBe(false);
    }
  });

  it('match all Experiences, or the listed ones', () => {
    expect(subscribes(['tour.*'], 'tour.started', [])).toBe(true);
    expect(subscribes(['tour.*'], 'tour.started', [first, tour])).toBe(true);
    expect(subscribes(['tour.*'], 'tour.started', [first])).toBe(false);
    expect(subscribes(['survey.*'], 'tour.started', [tour])).toBe(false);
  });
});

/** The webhook events of reports, one after the other. */
function tellAll(
  reports: (Partial<ReportFacts> & { href?: string | null })[],
  kind: AppliedReport['experience']['kind'] = 'tour',
): WebhookEvent[] {
  let before: Progress | undefined;
  return reports.flatMap(({ href, ...input }, at) => {
    const reported: ReportFacts = {
      moment: 1000,
      visitAt: 1000,
      group: { group_kind: 'campaign', group_id: tour },
      snoozeHours: 1,
      gap: 0,
      isAfter: (step, other) => step > other,
      ...input,
    };
    const outcome = applyReport(before, reported, 2000 + at);
    const report = { step_id: input.step_id ?? null, href: href ?? null };
    const payload = listWebhookEvents({
      experience: { id: tour, kind },
      report,
      steps,
      before,
      facts: reported,
      result: outcome,
    });
    before = outcome.after;
    return payload;
  });
}
const kindsOf = (payload: WebhookEvent[]) => payload.map(({ kind }) => kind);

describe('listWebhookEvents', () => {
  it('returns an event for each activity, with its details', () => {
    const payload = tellAll([
      { state: 'started', step_id: first, href: 'https://acme.test/' },
      { button_id: next },
      { step_id: second },
      { state: 'completed' },
    ]);
    const common = {
      experience_id: tour,
      experience_kind: 'tour',
      group_kind: 'campaign',
      group_id: tour,
    };
    const [one, two] = [
      { id: first, index: 0, preset: null },
      { id: second, index: 1, preset: 'thank_you' },
    ];
    expect(payload).toEqual([
      { kind: 'tour.started', payload: { ...common, href: 'https://acme.test/', step: one } },
      {
        kind: 'tour.button.clicked',
        payload: { ...common, href: null, step: one, button: button(next, 'Next') },
        repeatKey: `${next} 1000 0`,
      },
      { kind: 'tour.completed', payload: { ...common, href: null, step: two } },
    ]);
  });

  it.each(['tour', 'survey', 'embed'] as const)('returns events with the kind of the %s', (kind) => {
    expect(kindsOf(tellAll([{ state: 'started' }, { state: 'exited' }], kind))).toEqual([
      `${kind}.started`,
      `${kind}.exited`,
    ]);
  });

  it.each(['launcher', 'tooltip'] as const)('returns nothing for a %s', (kind) => {
    expect(tellAll([{ state: 'started' }, { button_id: next }, { state: 'completed' }], kind)).toEqual([]);
  });

  it('returns nothing for a display or a continued showing', () => {
    expect(tellAll([{ state: 'displayed' }])).toEqual([]);
    expect(kindsOf(tellAll([{ state: 'started' }, { step_id: second }, { answers: true }]))).toEqual(['tour.started']);
  });

  it('returns one start for a showing on several pages', () => {
    const pages = [1000, 5000, 9000].map((moment) => ({ state: 'started' as const, moment, visitAt: moment }));
    expect(kindsOf(tellAll(pages))).toEqual(['tour.started']);
  });

  it('returns a start for each new showing', () => {
    const [start, end] = [{ state: 'started' as const }, { state: 'exited' as const }];
    const later = { moment: 50_000, visitAt: 50_000 };
    expect(kindsOf(tellAll([start, end, { ...start, ...later }]))).toEqual([
      'tour.started',
      'tour.exited',
      'tour.started',
    ]);
    const claims = { ...start, ...later, claims: true };
    expect(kindsOf(tellAll([start, claims]))).toEqual(['tour.started', 'tour.started']);
  });

  it('returns the end of the snooze, and a start after it', () => {
    const payload = tellAll([
      { state: 'started', step_id: second },
      { state: 'snoozed', snoozeHours: 2 },
      { state: 'started', moment: 9000, visitAt: 9000, group: { group_kind: 'link', group_id: null } },
    ]);
    expect(kindsOf(payload)).toEqual(['tour.started', 'tour.snoozed', 'tour.started']);
    expect(payload[1]?.payload).toMatchObject({ defer_until: 2001 + 2 * HOUR, step: { id: second } });
    expect(payload[2]?.payload).toMatchObject({ group_kind: 'link', group_id: null, step: null });
  });

  it('has the same key for a repeated click, and another for a click on another page', () => {
    const click = { button_id: next };
    const keys = tellAll([{ state: 'started' }, click, click, { ...click, moment: 7000, visitAt: 7000 }])
      .filter(({ kind }) => kind === 'tour.button.clicked')
      .map(({ repeatKey }) => repeatKey);
    expect(keys).toEqual([`${next} 1000 0`, `${next} 1000 0`, `${next} 7000 0`]);
  });

  it('returns nothing for a missing button, and no missing step', () => {
    expect(kindsOf(tellAll([{ state: 'started', step_id: tour, button_id: tour }]))).toEqual(['tour.started']);
    expect(tellAll([{ state: 'started', step_id: tour }])[0]?.payload.step).toBe(null);
  });

  it('cuts the address to 2000 characters', () => {
    const href = `https://acme.test/?${'x'.repeat(5000)}`;
    expect(tellAll([{ state: 'started', href }])[0]?.payload.href).toBe(href.slice(0, 2000));
  });

  it('returns nothing for repeated reports in any order', () => {
    const some = fc.constantFrom<Partial<ReportFacts>>(
      { state: 'started' },
      { state: 'completed' },
      { state: 'exited' },
      { state: 'snoozed' },
      { step_id: second },
      { button_id: next },
    );
    fc.assert(
      fc.property(fc.array(some, { minLength: 1, maxLength: 8 }), fc.array(fc.nat(7)), (sent, picks) => {
        const again = picks.flatMap((pick) => sent[pick] ?? []);
        const once = (payload: WebhookEvent[]) =>
          new Set(payload.map(({ kind, repeatKey }) => `${kind} ${repeatKey}`)).size;
        const [before, after] = [tellAll(sent), tellAll([...sent, ...again])];
        expect(once(after)).toBe(once(before));
        expect(after.filter(({ repeatKey }) => !repeatKey)).toEqual(before.filter(({ repeatKey }) => !repeatKey));
      }),
    );
  });
});

describe('retries', () => {
  const pauses = (random: () => number) => Array.from({ length: 9 }, (_, at) => nextAttemptDelay(at + 1, random) ?? 0);
  const sum = (list: number[]) => list.reduce((one, other) => one + other, 0);

  it('are 9 over 43 hours, each after a longer delay', () => {
    const middle = pauses(() => 0.5);
    expect(sum(middle)).toBe(43 * HOUR);
    expect([...middle].sort((one, other) => one - other)).toEqual(middle);
    expect(middle[0]).toBe(10_000);
    expect(nextAttemptDelay(10)).toBe(undefined);
    expect(nextAttemptDelay(11)).toBe(undefined);
  });

  it('vary by up to a tenth, so that they do not come together', () => {
    expect(sum(pauses(() => 0))).toBe(38.7 * HOUR);
    expect(sum(pauses(() => 1))).toBe(47.3 * HOUR);
    const middle = pauses(() => 0.5);
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), (drawn) => {
        for (const [at, pause] of pauses(() => drawn).entries())
          expect(Math.abs(pause / (middle[at] ?? 0) - 1)).toBeLessThanOrEqual(0.1001);
      }),
    );
  });
});
