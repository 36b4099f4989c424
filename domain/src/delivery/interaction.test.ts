import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { randomRuns } from '../../test/random-runs.ts';
import { minShowingGap } from '../decision/showing-gap.ts';
import { compileReader } from '../params/read.ts';
import {
  type AnswerInput,
  type ExperienceParts,
  findAnswerIndex,
  findAnswerValue,
  findReportProblems,
  findSeenPart,
  momentOfReport,
  Report,
  type ReportedState,
} from './interaction.ts';
import { applyReport, type Progress, type ReportFacts } from './interaction-progress.ts';

const HOUR = 60 * 60_000;
const steps = ['one', 'two', 'three'];
const campaign = { group_kind: 'campaign', group_id: 'tour' } as const;
const link = { group_kind: 'link', group_id: null } as const;

/** The time of the first report, after its showing began. */
const momentOf = (visitAt: number, showing: number) => momentOfReport(visitAt, showing, visitAt + showing);

type ReportOverrides = Partial<Omit<ReportFacts, 'moment' | 'isAfter'>> & { showing?: number };

/** A report of a page. By default, the showing began with the page load. */
function buildReport({ visitAt = 1000, showing = 0, ...params }: ReportOverrides): ReportFacts {
  return {
    moment: momentOf(visitAt, showing),
    visitAt,
    group: campaign,
    snoozeHours: 24,
    gap: 0,
    isAfter: (step, other) => steps.indexOf(step) > steps.indexOf(other),
    ...params,
  };
}

/** Applies reports one after the other, a second apart. */
function after(...reports: (ReportOverrides & { now?: number })[]): Progress {
  let now = 2000;
  let at: Progress | undefined;
  for (const { now: then, ...params } of reports) {
    now = then ?? now + 1000;
    at = applyReport(at, buildReport(params), now).after;
  }
  if (!at) throw new Error('nothing was reported');
  return at;
}
const states = (...list: ReportedState[]): ReportOverrides[] => list.map((state) => ({ state }));

describe('momentOfReport', () => {
  it('returns when the showing began, on any page', () => {
    const [early, late] = [5000, 6000];
    const moments = [momentOf(early, 0), momentOf(early, 400)];
    moments.push(momentOf(late, 0), momentOf(early, 1500), momentOf(late, 600));
    expect(moments).toEqual([...moments].sort((one, other) => one - other));
    expect(new Set(moments).size).toBe(moments.length);
  });

  it('never returns a time in the future', () => {
    expect(momentOfReport(5000, 12 * HOUR, 6000)).toBe(6000);
    expect(momentOfReport(5000, 1000, 6000)).toBe(6000);
    expect(momentOfReport(5000, 999, 6000)).toBe(5999);
  });
});

describe('an Interaction', () => {
  it('moves an Interaction from displayed to started to completed', () => {
    expect(after(...states('displayed'))).toMatchObject({ state: 'displayed', displayed_at: 3000, started_at: null });
    expect(after(...states('displayed', 'started'))).toMatchObject({
      state: 'started',
      displayed_at: 3000,
      started_at: 4000,
      ...campaign,
    });
    expect(after(...states('displayed', 'started', 'completed'))).toMatchObject({
      state: 'completed',
      completed_at: 5000,
      exited_at: null,
    });
  });

  it.each(['completed', 'exited'] as const)('keeps the first end of an Interaction that is %s', (state) => {
    const other = state === 'completed' ? 'exited' : 'completed';
    const ended = after(...states('started', state));
    expect(after(...states('started', state, other, 'started', 'displayed', 'snoozed', state))).toEqual({
      ...ended,
      displayed_at: 7000,
      displayed_to: momentOf(1000, 0),
    });
  });

  it('starts an Interaction with a step, a button or an answer', () => {
    for (const params of [{ step_id: 'one' }, { button_id: 'next' }, { answers: true }, { state: 'snoozed' }] as const)
      expect(after(params)).toMatchObject({ state: 'started', started_at: 3000 });
    expect(after({ state: 'exited' })).toMatchObject({ state: 'exited', started_at: 3000, exited_at: 3000 });
    expect(after({ state: 'displayed', step_id: 'one' })).toMatchObject({ state: 'started', displayed_at: 3000 });
  });

  it('returns the activities of a report', () => {
    const done = (before: Progress | undefined, params: ReportOverrides) =>
      applyReport(before, buildReport(params), 9000).activities;
    expect(done(undefined, { state: 'started', step_id: 'one', button_id: 'next' })).toEqual([
      { what: 'started', part_id: '' },
      { what: 'step', part_id: 'one' },
      { what: 'button', part_id: 'next' },
    ]);
    expect(done(undefined, { state: 'completed' })).toEqual([
      { what: 'started', part_id: '' },
      { what: 'completed', part_id: '' },
    ]);
    expect(done(after({ state: 'started' }), { state: 'snoozed' })).toEqual([{ what: 'snoozed', part_id: '' }]);
    expect(done(after({ state: 'started' }), { state: 'displayed' })).toEqual([{ what: 'displayed', part_id: '' }]);
    expect(done(after({ state: 'exited' }), { state: 'completed' })).toEqual([]);
  });

  it('keeps the furthest step that was seen', () => {
    expect(after({ step_id: 'one' }, { step_id: 'three' }, { step_id: 'two' }).step_id).toBe('three');
    expect(after({ step_id: 'two' }, { step_id: 'gone' }).step_id).toBe('two');
  });

  it('stores what started an Interaction', () => {
    expect(after({ state: 'started', group: link })).toMatchObject(link);
    expect(after({ state: 'displayed' }, { state: 'started', group: link })).toMatchObject(link);
    expect(after({ state: 'started' }, { state: 'started', group: link })).toMatchObject(campaign);
  });

  it('continues a showing on other pages, also on pages that were open before', () => {
    const next = after({ state: 'started', visitAt: 1500 }, { step_id: 'two', visitAt: 3500 });
    expect(next).toMatchObject({ state: 'started', started_at: 3000, showing_from: 0 });
    const elsewhere = applyReport(next, buildReport({ visitAt: 1200, state: 'completed' }), 9000);
    expect(elsewhere.after).toMatchObject({ state: 'completed', completed_at: 9000, showing_from: 0 });
  });

  it('updates the start when a showing continues on a later page load', () => {
    const again = after({ state: 'started', step_id: 'two' }, { state: 'started', visitAt: 8000, now: 9000 });
    expect(again).toMatchObject({ state: 'started', started_at: 9000, step_id: 'two', showing_from: 0 });
  });

  it('records each display without changing the state', () => {
    const ended = after(...states('displayed', 'started', 'completed'));
    const later = applyReport(ended, buildReport({ visitAt: 7000, state: 'displayed' }), 8000).after;
    const moment = momentOf(7000, 0);
    expect(later).toEqual({ ...ended, displayed_at: 8000, displayed_to: moment });
    const opened = applyReport(later, buildReport({ visitAt: 7000, state: 'started' }), 9000).after;
    expect(opened).toMatchObject({ state: 'started', started_at: 9000, showing_from: moment, completed_at: 5000 });
  });
});

describe('a new showing', () => {
  const ended = after({ state: 'started', step_id: 'two' }, { state: 'snoozed' }, { state: 'exited' });

  it('starts a showing with a page load after the end', () => {
    const again = applyReport(ended, buildReport({ visitAt: 5001, state: 'started', group: link }), 6000);
    expect(again.after).toEqual({
      ...ended,
      ...link,
      state: 'started',
      started_at: 6000,
      defer_until: null,
      step_id: null,
      ended_by: null,
      showing_from: momentOf(5001, 0),
      showing_to: momentOf(5001, 0),
    });
    expect(again.after).toMatchObject({ exited_at: 5000, defer_count: 1 });
    expect(again.activities).toEqual([{ what: 'started', part_id: '' }]);
  });

  it.each([
    ['after the end', 4001],
    ['before anyone heard of the end', 1],
  ])('starts a showing on the page that ended the last one, also %s', (_when, showing) => {
    const moment = momentOf(1000, showing);
    const again = applyReport(ended, buildReport({ showing, state: 'started' }), 6000).after;
    expect(again).toMatchObject({ state: 'started', started_at: 6000, showing_from: moment, showing_to: moment });
  });

  it('starts a showing only after the minimum gap, unless a Delivery starts it', () => {
    const started = ended.started_at ?? 0;
    const again = (now: number, params: ReportOverrides = {}) =>
      applyReport(ended, buildReport({ visitAt: 5001, state: 'started', gap: 10_000, ...params }), now).after;
    expect(again(started + 9999)).toMatchObject({ state: 'exited', showing_from: 0, started_at: started });
    expect(again(started + 10_000)).toMatchObject({ state: 'started', showing_from: 5001 });
    expect(again(started + 1, { claims: true })).toMatchObject({ state: 'started', showing_from: 5001 });
    expect([minShowingGap('tour'), minShowingGap('survey')]).toEqual([10_000, 300_000]);
  });

  it('starts a showing on a page that was open before the end but showed it after the end', () => {
    const again = applyReport(ended, buildReport({ visitAt: 1001, showing: 4000, state: 'started' }), 6000).after;
    expect(again).toMatchObject({ state: 'started', started_at: 6000, showing_from: 5001 });
  });

  it('starts no showing on another page that showed it before the end', () => {
    for (const [visitAt, showing] of [
      [1001, 0],
      [1001, 3999],
      [4999, 0],
      [5000, 0],
    ] as const)
      expect(applyReport(ended, buildReport({ visitAt, showing, state: 'started' }), 6000).after).toMatchObject({
        state: 'exited',
        started_at: 3000,
        showing_from: 0,
      });
  });

  it('ends a showing only by its own page', () => {
    const again = applyReport(ended, buildReport({ visitAt: 5001, state: 'started' }), 6000).after;
    const over = applyReport(again, buildReport({ visitAt: 5001, state: 'completed' }), 9000).after;
    expect(
      applyReport(over, buildReport({ visitAt: 1000, showing: 7000, state: 'started' }), 9001).after,
    ).toMatchObject({
      state: 'completed',
      showing_from: 5001,
    });
    expect(
      applyReport(over, buildReport({ visitAt: 5001, showing: 2999, state: 'started' }), 9001).after,
    ).toMatchObject({
      state: 'started',
      showing_from: 8000,
    });
  });

  it('starts a showing with its first report, whatever it contains', () => {
    const late = [{ state: 'completed' }, { state: 'started' }, { step_id: 'one' }] as const;
    let at = ended;
    for (const params of late) at = applyReport(at, buildReport({ visitAt: 5001, ...params }), 6000).after;
    expect(at).toMatchObject({ state: 'completed', started_at: 6000, completed_at: 6000, step_id: 'one' });
  });

  it('starts a showing when a Delivery is triggered, in any state', () => {
    for (const before of [ended, after({ state: 'started', step_id: 'two' })]) {
      const moment = momentOf(1000, 0);
      const group = { group_kind: 'api_js', group_id: null } as const;
      const at = applyReport(before, buildReport({ state: 'started', claims: true, group }), 6000);
      expect(at.after).toMatchObject({
        state: 'started',
        started_at: 6000,
        step_id: null,
        showing_from: moment,
        ...group,
      });
      expect(applyReport(at.after, buildReport({ state: 'completed' }), 7000).after.state).toBe('completed');
    }
  });
});

describe('a snooze', () => {
  it('keeps a snoozed Interaction started, and counts the snooze', () => {
    const at = after({ state: 'started' }, { state: 'snoozed', snoozeHours: 1.5 });
    expect(at).toMatchObject({ state: 'started', defer_count: 1, defer_until: 4000 + 1.5 * HOUR });
  });

  it('counts a snooze once, however often any open page reports it', () => {
    const once = after({ state: 'started' }, { state: 'snoozed' });
    const tab = buildReport({ state: 'snoozed', visitAt: 1001 });
    expect(applyReport(once, buildReport({ state: 'snoozed' }), 9000).after).toBe(once);
    expect(applyReport(once, tab, 9000).after).toEqual({ ...once, showing_to: tab.moment });
  });

  it('starts a new showing after a snooze, which can be snoozed again', () => {
    const snoozed = after({ state: 'started' }, { state: 'snoozed', snoozeHours: 1 });
    const then = 4000 + HOUR;
    const early = applyReport(snoozed, buildReport({ visitAt: 5000, state: 'started' }), then - 1).after;
    expect(early).toMatchObject({ defer_until: then, showing_from: 0, started_at: 3000 });
    const again = applyReport(snoozed, buildReport({ visitAt: 5000, state: 'started' }), then).after;
    expect(again).toMatchObject({ state: 'started', defer_until: null, defer_count: 1, started_at: then });
    expect(applyReport(again, buildReport({ visitAt: 5000, state: 'snoozed' }), then + 1).after.defer_count).toBe(2);
  });

  it('ends a snooze when the user requests the Experience or the page shows it again', () => {
    const snoozed = after({ state: 'started' }, { state: 'snoozed' });
    const requests = [
      { visitAt: 5000, group: link },
      { visitAt: 5000, group: { group_kind: 'launcher', group_id: 'help' } },
      { showing: 1 },
    ] as const;
    for (const params of requests)
      expect(applyReport(snoozed, buildReport({ ...params, state: 'started' }), 6000).after).toMatchObject({
        started_at: 6000,
        defer_until: null,
      });
    const elsewhere = applyReport(snoozed, buildReport({ visitAt: 1001, showing: 4999, state: 'started' }), 6000).after;
    expect(elsewhere).toMatchObject({ started_at: 3000, defer_until: snoozed.defer_until });
  });
});

describe('reports in any order, from any number of open pages', () => {
  const report = fc.record(
    {
      /** The time between the page load and the report. */
      age: fc.integer({ min: 0, max: 40 }),
      /** The time since the previous report. */
      pause: fc.integer({ min: 0, max: 10 }),
      showing: fc.integer({ min: 0, max: 20 }),
      state: fc.constantFrom<ReportedState>('displayed', 'started', 'completed', 'exited', 'snoozed'),
      step_id: fc.constantFrom(...steps),
      button_id: fc.constantFrom('next', 'back'),
      claims: fc.boolean(),
      group: fc.constantFrom(campaign, link),
    },
    { requiredKeys: ['age', 'pause', 'showing', 'group'] },
  );
  /** Every report with the progress before and after it, and its time. */
  const histories = fc.array(report, { minLength: 1, maxLength: 25 }).map((list) => {
    let now = 100;
    let before: Progress | undefined;
    return list.map(({ age, pause, claims = false, ...rest }) => {
      now += pause;
      // The snooze is short, so that some end in between.
      const params = { snoozeHours: 8 / HOUR, state: 'started', visitAt: now - age, ...rest } as const;
      const facts = buildReport(params);
      const claimed = { ...facts, claims: claims && facts.moment > (before?.showing_to ?? 0) };
      const found = before;
      const left = applyReport(before, claimed, now);
      before = left.after;
      return { facts, found, left, now };
    });
  });

  it('ignores repeated reports at any time', () => {
    fc.assert(
      fc.property(histories, fc.nat(), fc.nat(), fc.nat(100), (history, which, when, later) => {
        const first = which % history.length;
        const place = first + (when % (history.length - first));
        const { facts } = history[first] as (typeof history)[number];
        const { left, now } = history[place] as (typeof history)[number];
        const again = applyReport(left.after, facts, now + later);
        expect(again.after).toBe(left.after);
        expect(again.activities.filter(({ what }) => what !== 'step' && what !== 'button')).toEqual([]);
      }),
      { numRuns: randomRuns(400) },
    );
  });

  it('never moves an Interaction back within a showing', () => {
    const rank = { displayed: 0, started: 1, completed: 2, exited: 2 };
    fc.assert(
      fc.property(histories, (history) => {
        for (const { found, left } of history) {
          if (!found) continue;
          const { after } = left;
          expect(after.showing_to).toBeGreaterThanOrEqual(found.showing_to);
          expect(after.displayed_to).toBeGreaterThanOrEqual(found.displayed_to);
          expect(after.defer_count).toBeGreaterThanOrEqual(found.defer_count);
          expect(after.showing_from).toBeGreaterThanOrEqual(found.showing_from);
          if (after.showing_from > found.showing_from) continue;
          expect(rank[after.state]).toBeGreaterThanOrEqual(rank[found.state]);
          if (rank[found.state] === 2) expect(after.state).toBe(found.state);
          if (found.step_id !== null)
            expect(steps.indexOf(after.step_id ?? '')).toBeGreaterThanOrEqual(steps.indexOf(found.step_id));
          if (found.state === 'started' && found.defer_until !== null)
            expect(after.defer_until).toBe(found.defer_until);
        }
      }),
      { numRuns: randomRuns(200) },
    );
  });

  it('ignores reports of an earlier showing', () => {
    fc.assert(
      fc.property(histories, (history) => {
        const { after: last } = (history.at(-1) as (typeof history)[number]).left;
        for (const { facts, now } of history) {
          if (facts.moment >= last.showing_from) continue;
          expect(applyReport(last, facts, now + 1000)).toEqual({
            after: last,
            counts: false,
            activities: [],
            steps: [],
            begins: false,
          });
        }
      }),
      { numRuns: randomRuns(200) },
    );
  });

  it('starts an Interaction again in a new showing', () => {
    fc.assert(
      fc.property(histories, (history) => {
        for (const { found, left, now } of history) {
          if (!found || left.after.showing_from === found.showing_from) continue;
          expect(left.after.started_at).toBe(now);
          expect(left.activities).toContainEqual({ what: 'started', part_id: '' });
          expect(left.after.state).not.toBe('displayed');
        }
      }),
      { numRuns: randomRuns(200) },
    );
  });

  it('gives the same result in any order when a showing has one end', () => {
    const parts = fc.uniqueArray(
      fc.constantFrom<ReportOverrides>(
        ...states('displayed', 'started', 'completed'),
        { step_id: 'one' },
        { step_id: 'two' },
        { button_id: 'next' },
      ),
      { minLength: 1, selector: (params) => JSON.stringify(params) },
    );
    const outcome = (list: readonly ReportOverrides[]) => {
      const done = new Set<string>();
      let at: Progress | undefined;
      for (const params of list) {
        const left = applyReport(at, buildReport(params), 5000);
        at = left.after;
        for (const { what, part_id } of left.activities) done.add(`${what} ${part_id}`);
      }
      return { at, done: [...done].sort() };
    };
    fc.assert(
      fc.property(parts, fc.array(fc.nat(), { minLength: 6, maxLength: 6 }), (list, keys) => {
        const shuffled = list
          .map((params, index) => ({ params, key: keys[index] ?? 0 }))
          .sort((one, other) => one.key - other.key)
          .map(({ params }) => params);
        expect(outcome(shuffled)).toEqual(outcome(list));
      }),
    );
  });
});

describe('a report', () => {
  const read = compileReader<Report>(Report);
  const experience_id = 'a'.repeat(24);
  const problems = (params: object) => {
    const reading = read({ experience_id, ...params }, 0);
    return 'problems' in reading ? reading.problems : findReportProblems(reading.value);
  };

  it('requires a report to contain something', () => {
    for (const params of [
      {},
      { href: 'https://x.test/' },
      { state: null, step_id: null },
      { delivery_id: experience_id },
    ])
      expect(problems(params)).toEqual([expect.stringMatching(/^Give a `state`/)]);
    for (const params of [
      { state: 'displayed' },
      { step_id: experience_id },
      { button_id: experience_id },
      { response: { value: 9 } },
    ])
      expect(problems(params)).toEqual([]);
  });

  it('requires a problem to be alone and with an address', () => {
    const problem = { reason: 'hidden' };
    const href = 'https://x.test/';
    expect(problems({ problem, href, step_id: experience_id })).toEqual([]);
    expect(problems({ problem })).toEqual([expect.stringContaining('`href`')]);
    for (const wrong of [{}, { reason: 'found' }])
      expect(problems({ problem: wrong, href })).toEqual([expect.stringContaining('`problem.reason`')]);
    for (const more of [{ state: 'exited' }, { button_id: experience_id }, { response: { value: 9 } }])
      expect(problems({ problem, href, ...more })).toEqual([expect.stringContaining('`problem` stands alone')]);
  });

  it.each([
    ['state', 'shown'],
    ['state', 'deferred'],
    ['group_kind', 'delivery'],
    ['showing', -1],
    ['showing', 1.5],
    ['showing', 12 * HOUR + 1],
    ['snooze_hours', -1],
    ['snooze_hours', 8761],
    ['step_id', 'x'],
    ['response', 'good'],
    ['response', {}],
    ['response', { input: null }],
    ['problem', 'hidden'],
    ['experience_id', 'x'],
  ])('rejects a report with %s = %j', (name, value) => {
    expect(problems({ state: 'started', [name]: value })).toEqual([expect.stringContaining(`\`${name}\``)]);
  });
});

describe('findSeenPart', () => {
  const experience_id = 'tour';
  const step = (id: string, isPlaced: boolean) =>
    ({ id, elements: isPlaced ? [{}] : [] }) as unknown as ExperienceParts['steps'][number];
  const steps = [step('placed', true), step('free', false)];

  it('returns the named step if it has elements', () => {
    expect(findSeenPart({ experience_id, step_id: 'placed' }, { steps })).toBe('placed');
    expect(findSeenPart({ experience_id, step_id: 'free' }, { steps })).toBeUndefined();
    expect(findSeenPart({ experience_id, step_id: 'gone' }, { steps })).toBeUndefined();
    expect(findSeenPart({ experience_id, state: 'started' }, { steps })).toBeUndefined();
  });

  it('returns the only step of a displayed Experience', () => {
    expect(findSeenPart({ experience_id, state: 'displayed' }, { steps: steps.slice(0, 1) })).toBe('placed');
    expect(findSeenPart({ experience_id, state: 'displayed' }, { steps })).toBeUndefined();
    expect(findSeenPart({ experience_id, state: 'displayed' }, { steps: [] })).toBeUndefined();
  });

  it('returns the launcher if an element opens it', () => {
    const launcher = { steps: [], items: [] };
    expect(findSeenPart({ experience_id, state: 'displayed' }, { ...launcher, trigger_type: 'element' })).toBe('tour');
    expect(findSeenPart({ experience_id, state: 'started' }, { ...launcher, trigger_type: 'element' })).toBeUndefined();
    expect(findSeenPart({ experience_id, state: 'displayed' }, { ...launcher, trigger_type: 'icon' })).toBeUndefined();
  });
});

describe('findAnswerIndex', () => {
  const step = (params: Partial<ExperienceParts['steps'][number]>): ExperienceParts['steps'][number] => ({
    ...{
      id: 's',
      preset: null,
      dropdown_items: [],
      other_text: null,
      snooze_hours: null,
      snooze_choices: [],
      buttons: [],
      elements: [],
    },
    ...params,
  });
  const buttons = ['a', 'b', 'c'].map((id) => ({ id })) as ExperienceParts['steps'][number]['buttons'];

  it('returns the index of the button', () => {
    expect(findAnswerIndex(step({ buttons }), { button_id: 'c' })).toBe(2);
    expect(findAnswerIndex(step({ buttons }), { button_id: 'x' })).toBe(null);
    expect(findAnswerIndex(step({ buttons, preset: 'survey_nps' }), { button_id: 'a', value: '9' })).toBe(0);
  });

  it('returns the position of the answer in its scale', () => {
    const index = (preset: 'survey_nps' | 'survey_csat' | 'survey_ces' | 'survey_input' | null, value: string) =>
      findAnswerIndex(step({ preset }), { value });
    expect([index('survey_nps', '0'), index('survey_nps', '10'), index('survey_csat', '1')]).toEqual([0, 10, 0]);
    expect([index('survey_ces', '7'), index('survey_ces', '0'), index('survey_nps', '11')]).toEqual([6, null, null]);
    expect([index('survey_nps', 'nine'), index('survey_input', '3'), index(null, '3')]).toEqual([null, null, null]);
  });

  it('returns the index of the item in its list', () => {
    const list = step({ preset: 'survey_dropdown', dropdown_items: ['Ads', 'A friend'] });
    expect(findAnswerIndex(list, { value: 'A friend' })).toBe(1);
    expect(findAnswerIndex(list, { value: 'Something else' })).toBe(null);
    expect(findAnswerIndex(list, { input: 'Ads' })).toBe(null);
  });

  it('uses the index of an item in another language, and the answer of the list', () => {
    const list = step({ preset: 'survey_dropdown', dropdown_items: ['Ads', 'A friend'] });
    const read = (params: AnswerInput) => [findAnswerIndex(list, params), findAnswerValue(list, params)];
    expect(read({ value: 'Eine Freundin', index: 1 })).toEqual([1, 'A friend']);
    expect(read({ value: 'A friend' })).toEqual([1, 'A friend']);
    expect(read({ value: 'Something else', index: 2 })).toEqual([null, 'Something else']);
    expect(read({ value: 'Something else' })).toEqual([null, 'Something else']);
    const open = step({ preset: 'survey_dropdown', dropdown_items: ['Ads', 'A friend'], other_text: 'Other' });
    expect(findAnswerValue(open, { value: 'Andere', index: 2 })).toBe('Other');
    expect(findAnswerValue(open, { value: 'Andere', index: 3 })).toBe('Andere');
    expect(findAnswerIndex(open, { value: 'Andere', index: 2 })).toBe(null);
    const scale = step({ preset: 'survey_nps' });
    expect(findAnswerValue(scale, { value: '9', index: 1 })).toBe('9');
    expect(findAnswerValue(scale, { input: 'Good' })).toBe(null);
  });
});
