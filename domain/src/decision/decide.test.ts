import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { randomRuns } from '../../test/random-runs.ts';
import type { PartFields } from '../content/experience-parameters.ts';
import { writeDocument } from '../content/experience-write.ts';
import { drawPercent } from '../ingestion/profile.ts';
import { type ExperienceKind, experienceKinds, isExclusive } from '../kinds/kinds.ts';
import { PatternBudget } from '../patterns/pattern-budget.ts';
import { type MatchType, parsePageAddress } from '../patterns/url-match.ts';
import { compileExperience } from './compiled-experience.ts';
import { decide, type ExplicitRequest, explain, findReasonAgainst } from './decide.ts';
import { memberKinds } from './group-members.ts';
import type { LimitGroup } from './limit-group.ts';
import { describeReason } from './reason.ts';
import type { DecisionInput, InteractionFacts, PendingDelivery, PublishedData } from './rules.ts';

const now = Date.parse('2029-04-07T12:00:00.000Z');
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const id = (n: number) => n.toString(16).padStart(24, '0');
const [first, second, third, trial, admins, staging, production] = [1, 2, 3, 11, 12, 21, 22].map(id) as [
  string,
  string,
  string,
  string,
  string,
  string,
  string,
];
const [tagged, otherTag] = [id(51), id(52)];
const home = parsePageAddress('https://app.example.com/');
const settings = parsePageAddress('https://app.example.com/settings');

/** The ID of a step, by its index. */
const stepId = (index: number) => id(0x901 + index);

type ExperienceOverrides = { kind?: ExperienceKind; steps?: PartFields[] } & Record<string, unknown>;
interface AppContext {
  experiences: Record<string, ExperienceOverrides>;
  limitGroups?: PublishedData['limitGroups'];
  /** The Responses to surveys, by the ID of the survey and of a Segment. */
  counts?: Record<string, number>;
  /** Whether the candidates include Experiences that start on other pages, which is allowed. */
  isLoose?: boolean;
}

function publish({ experiences, limitGroups = [], counts = {}, isLoose = true }: AppContext): PublishedData {
  const tags = new Map(Object.entries(experiences).map(([key, { tag_ids }]) => [key, tag_ids as string[] | undefined]));
  const all = Object.entries(experiences).map(([key, { kind = 'tour', ...input }]) => {
    const problems: string[] = [];
    const whole = { name: `The ${kind} ${Number.parseInt(key, 16)}`, steps: [{ title: 'Hello' }], ...input };
    let parts = 0x900;
    const document = writeDocument(kind, undefined, whole, () => id(++parts), problems);
    expect(problems).toEqual([]);
    return compileExperience(key, document);
  });
  all.sort((one, other) => one.position - other.position || (one.id < other.id ? -1 : 1));
  const byId = new Map(all.map((one) => [one.id, one]));
  return {
    limitGroups,
    experiments: [],
    responseCount: (key, segmentId = '') => counts[`${key} ${segmentId}`] ?? 0,
    hasTag: (key, tagIds) => tagIds.some((tagId) => tags.get(key)?.includes(tagId)),
    segmentNames: new Map([
      [trial, 'Trial users'],
      [admins, 'Admins'],
    ]),
    environmentNames: new Map([
      [staging, 'Staging'],
      [production, 'Production'],
    ]),
    kindOf: (key) => byId.get(key)?.kind,
    experience: (key) => byId.get(key),
    candidates: (page) => all.filter((one) => isLoose || one.startsOn(page)),
  };
}

const oneADay: LimitGroup = {
  ...{ id: id(31), name: 'One', kind: 'all', max_count: 1, period_hours: 24 },
  ...{ max_steps: null, max_seconds: null },
  ...{ experience_ids: [], tag_ids: [] },
};

const newUser: DecisionInput = {
  now,
  page: home,
  budget: new PatternBudget(),
  urlGroupId: null,
  percent: 50,
  disabled: false,
  inSegment: () => false,
  interactions: new Map(),
  deliveries: [],
  starts: [],
};
const past: InteractionFacts = {
  state: 'started',
  updated_at: now - 3 * DAY,
  started_at: now - 3 * DAY,
  completed_at: null,
  exited_at: null,
  defer_until: null,
  group_kind: 'campaign',
  step_id: null,
};
const before = (of: Record<string, Partial<InteractionFacts>>) =>
  new Map(Object.entries(of).map(([key, facts]) => [key, { ...past, ...facts }]));
const completed = (at: number) => ({ state: 'completed' as const, completed_at: at, updated_at: at });
const exited = (at: number) => ({ state: 'exited' as const, exited_at: at, updated_at: at });
const inProgress = { state: 'started' as const, updated_at: now - 5 * MINUTE };

const simple = (url: string) => ({ url, match_type: 'simple' });
const on = (url: string) => ({ steps: [{ title: 'Hi', quantifier_urls: [simple(url)] }] });
const steps = (...urls: string[]) => ({
  steps: urls.map((url) => ({ title: 'Hi', ...(url && { quantifier_urls: [simple(url)] }) })),
});

const ids = (of: readonly { id: string }[]) => of.map((one) => one.id);
const shownBy = (published: PublishedData, person: DecisionInput) => ids(decide(published, person).automatic);
function wordsFor(published: PublishedData, person: DecisionInput, key: string): string[] {
  const [explanation] = explain(published, person, [key]).experiences;
  return (explanation?.reasons ?? []).map(describeReason);
}

/** An Experience that shows for one input and, for this reason, does not show for another. */
type Row = [
  fact: string,
  input: ExperienceOverrides,
  shows: Partial<DecisionInput>,
  hides: Partial<DecisionInput>,
  words: string,
];

describe('a tour that begins as a hotspot', () => {
  const hotspot = { steps: [{ title: 'Hi', hotspot: true, elements: [{ selector: '#a' }] }], position: 0 };
  const published = publish({ experiences: { [first]: hotspot, [second]: { position: 1 } } });

  it('shows beside another tour until the user opens it', () => {
    expect(shownBy(published, newUser)).toEqual([second, first]);
    for (const id of [first, second]) expect(wordsFor(published, newUser, id)).toEqual([]);
  });

  it('keeps others back once the user is in the middle of it', () => {
    const user = { ...newUser, interactions: before({ [first]: inProgress }) };
    expect(shownBy(published, user)).toEqual([first]);
    expect(wordsFor(published, user, second)).toEqual([expect.stringMatching(/^Another one comes first/)]);
  });

  it('is not shown after it was dismissed', () => {
    expect(shownBy(published, { ...newUser, interactions: before({ [first]: exited(now) }) })).toEqual([second]);
  });
});

describe('an automatic Experience', () => {
  it.each<Row>([
    [
      'not to a user who is disabled',
      {},
      {},
      { disabled: true },
      'The user is switched off: the property `disabled` is true',
    ],
    [
      'not on a page that gets nothing',
      {},
      {},
      { pageProblem: 'other.example.com is not enabled' },
      'other.example.com is not enabled',
    ],
    [
      'only in its Environments',
      { url_group_ids: [production] },
      { urlGroupId: production },
      { urlGroupId: staging },
      'This page belongs to the Environment “Staging”: it shows only in “Production”',
    ],
    [
      'only on pages that match its first step',
      steps('/settings', '/other'),
      { page: settings },
      { page: parsePageAddress('https://app.example.com/other') },
      'This page is none of those on which it begins',
    ],
    [
      'a launcher only on pages that match its own URLs',
      { kind: 'launcher', steps: [], quantifier_urls: [simple('/settings')] },
      { page: settings },
      { page: home },
      'This page is none of those on which it begins',
    ],
    [
      'not while it is snoozed',
      {},
      { interactions: before({ [first]: { defer_until: now } }) },
      { interactions: before({ [first]: { defer_until: now + 1 } }) },
      'The user asked to be reminded on 2029-04-07T12:00:00.001Z',
    ],
    [
      'not again once it was completed',
      {},
      { interactions: before({ [first]: { state: 'displayed', started_at: null } }) },
      { interactions: before({ [first]: completed(now - DAY) }) },
      'Shown already: completed on 2029-04-06T12:00:00.000Z',
    ],
    [
      'not again once it was exited',
      { kind: 'embed', style: 'card' },
      { interactions: before({ [first]: past }) },
      { interactions: before({ [first]: exited(now - DAY) }) },
      'Shown already: exited on 2029-04-06T12:00:00.000Z',
    ],
    [
      'again after its days of rest',
      { repeat_days: 7 },
      { interactions: before({ [first]: exited(now - 7 * DAY) }) },
      { interactions: before({ [first]: exited(now - 7 * DAY + 1) }) },
      'Shown already: exited on 2029-03-31T12:00:00.001Z; it comes again on 2029-04-07T12:00:00.001Z',
    ],
  ])('%s', (_, input, shows, hides, words) => {
    const published = publish({ experiences: { [first]: input } });
    expect(shownBy(published, { ...newUser, ...shows })).toEqual([first]);
    expect(wordsFor(published, { ...newUser, ...shows }, first)).toEqual([]);
    expect(shownBy(published, { ...newUser, ...hides })).toEqual([]);
    expect(wordsFor(published, { ...newUser, ...hides }, first)).toEqual([words]);
  });

  it('shows only to users who are in all of its Segments', () => {
    const published = publish({ experiences: { [first]: { segment_ids: [trial, admins] } } });
    const inside = (...of: string[]): DecisionInput => ({ ...newUser, inSegment: (key) => of.includes(key) });
    expect(shownBy(published, inside(trial, admins))).toEqual([first]);
    for (const person of [inside(trial), inside(admins), inside()]) expect(shownBy(published, person)).toEqual([]);
    expect(wordsFor(published, inside(admins), first)).toEqual(['The user is not in the Segment “Trial users”']);
    expect(wordsFor(published, inside(), first)).toEqual(['The user is not in the Segments “Trial users”, “Admins”']);
  });

  it('shows with segments_op or to users who are in one of its Segments', () => {
    const published = publish({ experiences: { [first]: { segment_ids: [trial, admins], segments_op: 'or' } } });
    const inside = (...of: string[]): DecisionInput => ({ ...newUser, inSegment: (key) => of.includes(key) });
    for (const person of [inside(trial, admins), inside(trial), inside(admins)])
      expect(shownBy(published, person)).toEqual([first]);
    expect(shownBy(published, inside())).toEqual([]);
    expect(wordsFor(published, inside(), first)).toEqual([
      'The user is in none of the Segments “Trial users”, “Admins”',
    ]);
    const forAll = publish({ experiences: { [first]: { segments_op: 'or' } } });
    expect(shownBy(forAll, inside())).toEqual([first]);
  });

  it('does not show to users who are in one of its excluded Segments', () => {
    const published = publish({ experiences: { [first]: { excluded_segment_ids: [trial, admins] } } });
    const inside = (...of: string[]): DecisionInput => ({ ...newUser, inSegment: (key) => of.includes(key) });
    expect(shownBy(published, inside())).toEqual([first]);
    for (const person of [inside(trial, admins), inside(trial), inside(admins)])
      expect(shownBy(published, person)).toEqual([]);
    expect(wordsFor(published, inside(admins), first)).toEqual([
      'The user is in the Segment “Admins”, which it excludes',
    ]);
    const both = publish({ experiences: { [first]: { segment_ids: [trial], excluded_segment_ids: [admins] } } });
    expect(shownBy(both, inside(trial))).toEqual([first]);
    expect(shownBy(both, inside(trial, admins))).toEqual([]);
  });

  it.each<[match_type: MatchType, url: string, yes: string, no: string]>([
    ['simple', '/a/*', 'https://app.example.com/a/b?c', 'https://app.example.com/b'],
    ['exact', 'https://app.example.com/a?b', 'https://app.example.com/a?b', 'https://app.example.com/a'],
    ['regex', '/a/[0-9]+$', 'https://app.example.com/a/12', 'https://app.example.com/a/x'],
    ['inverse_simple', '/a/*', 'https://app.example.com/b', 'https://app.example.com/a/b'],
    ['inverse_exact', '/a', 'https://app.example.com/a?b', 'https://app.example.com/a'],
  ])('shows on the pages of its first step with match_type %s', (match_type, url, yes, no) => {
    const step = { title: 'Hi', quantifier_urls: [{ url, match_type }] };
    const published = publish({ experiences: { [first]: { steps: [step] } }, isLoose: false });
    expect(shownBy(published, { ...newUser, page: parsePageAddress(yes) })).toEqual([first]);
    expect(shownBy(published, { ...newUser, page: parsePageAddress(no) })).toEqual([]);
  });

  it('shows in every Environment when it names none, and on hosts without one', () => {
    const published = publish({ experiences: { [first]: {} } });
    expect(shownBy(published, { ...newUser, urlGroupId: staging })).toEqual([first]);
    const bound = publish({ experiences: { [first]: { url_group_ids: [production] } } });
    expect(shownBy(bound, { ...newUser, urlGroupId: null })).toEqual([first]);
  });

  it('shows on a page without a host only when it names no Environment', () => {
    const page = { ...newUser, urlGroupId: undefined };
    expect(shownBy(publish({ experiences: { [first]: {} } }), page)).toEqual([first]);
    const bound = publish({ experiences: { [first]: { url_group_ids: [production] } } });
    expect(shownBy(bound, page)).toEqual([]);
    expect(wordsFor(bound, page, first)).toEqual([
      'This page belongs to no Environment, because its address has no host: it shows only in “Production”',
    ]);
  });

  it('does not show while it is not live', () => {
    const published = publish({ experiences: {} });
    expect(wordsFor(published, newUser, first)).toEqual([
      'It is not live: it was not published, or its time has not come or is over',
    ]);
    expect(wordsFor(published, { ...newUser, disabled: true }, first)).toHaveLength(2);
  });

  it('lists every reason against an Experience', () => {
    const input = { ...on('/settings'), segment_ids: [trial], style: 'manual', url_group_ids: [production] };
    const person = { ...newUser, urlGroupId: staging, interactions: before({ [first]: completed(now - DAY) }) };
    expect(wordsFor(publish({ experiences: { [first]: input } }), person, first)).toEqual([
      'This page belongs to the Environment “Staging”: it shows only in “Production”',
      'It does not start automatically: its style is manual',
      'Shown already: completed on 2029-04-06T12:00:00.000Z',
      'This page is none of those on which it begins',
      'The user is not in the Segment “Trial users”',
    ]);
  });

  it('shows a launcher however often it was completed or exited', () => {
    const published = publish({ experiences: { [first]: { kind: 'launcher', steps: [] } } });
    for (const facts of [completed(now), exited(now)])
      expect(shownBy(published, { ...newUser, interactions: before({ [first]: facts }) })).toEqual([first]);
  });
});

describe('an experiment', () => {
  const experiment = (range: string, at = '2029-04-07T12:00:00.000Z') =>
    publish({ experiences: { [first]: { experiment_at: Date.parse(at), experiment_range: range } } });

  it.each<[range: string, percent: number, shows: boolean]>([
    ['0-50', 0, true],
    ['0-50', 49.99, true],
    ['0-50', 50, false],
    ['50-100', 49.99, false],
    ['50-100', 50, true],
    ['50-100', 100, true],
    ['0-100', 100, true],
    ['12.5-37.25', 12.49, false],
    ['12.5-37.25', 12.5, true],
    ['12.5-37.25', 37.25, false],
    ['50-50', 50, false],
  ])('decides whether an experiment of %s includes a user at %s: %s', (range, percent, shows) => {
    expect(shownBy(experiment(range), { ...newUser, percent })).toEqual(shows ? [first] : []);
  });

  it('explains who takes part, and the percent of the user', () => {
    expect(wordsFor(experiment('0-50'), { ...newUser, percent: 71.5 }, first)).toEqual([
      'The user is not part of the experiment: it is for 0 to 50 percent, and the user is at 71.5',
    ]);
  });

  it('includes everyone until it starts', () => {
    expect(shownBy(experiment('0-1', '2029-04-07T12:00:00.001Z'), { ...newUser, percent: 80 })).toEqual([first]);
    const never = publish({ experiences: { [first]: { experiment_range: '0-1' } } });
    expect(shownBy(never, { ...newUser, percent: 80 })).toEqual([first]);
  });

  it('puts every user into exactly one of several ranges that cover everything', () => {
    const cuts = fc.uniqueArray(fc.integer({ min: 1, max: 9_999 }), { maxLength: 4 });
    const drawn = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
    fc.assert(
      fc.property(cuts, drawn, (inner, random) => {
        const edges = [0, ...inner.sort((one, other) => one - other), 10_000].map((edge) => edge / 100);
        const ranges = edges.slice(1).map((high, at) => `${edges[at]}-${high}`);
        const percent = drawPercent(() => random);
        const holding = ranges.filter((range) => shownBy(experiment(range), { ...newUser, percent }).length > 0);
        expect(holding).toHaveLength(1);
      }),
    );
  });
});

describe('a manual tour or survey', () => {
  const manual = publish({ experiences: { [first]: { ...steps('/a', '/settings'), style: 'manual' } } });
  const start = { ...newUser, page: parsePageAddress('https://app.example.com/a') };

  it('does not start automatically', () => {
    expect(shownBy(manual, start)).toEqual([]);
    expect(wordsFor(manual, start, first)).toEqual(['It does not start automatically: its style is manual']);
    const long = { ...start, interactions: before({ [first]: past }) };
    expect(shownBy(manual, long)).toEqual([]);
  });

  it('continues while the user is in the middle of it', () => {
    const person = {
      ...newUser,
      page: settings,
      interactions: before({ [first]: { ...inProgress, step_id: stepId(0) } }),
    };
    expect(shownBy(manual, person)).toEqual([first]);
  });

  it('comes back after a snooze', () => {
    const snoozed = { ...start, interactions: before({ [first]: { defer_until: now - HOUR } }) };
    expect(shownBy(manual, snoozed)).toEqual([first]);
    const done = { ...start, interactions: before({ [first]: { ...completed(now - DAY), defer_until: now - HOUR } }) };
    expect(shownBy(manual, done)).toEqual([]);
  });
});

describe('an explicitly requested tour or survey', () => {
  const input = {
    ...steps('/', '/settings'),
    segment_ids: [trial],
    url_group_ids: [production],
    experiment_at: now,
    experiment_range: '0-1',
  };
  const limitGroups = [oneADay];
  const published = publish({ experiences: { [first]: input, [second]: {} }, limitGroups });
  const others = { [second]: { ...completed(now - HOUR), started_at: now - HOUR } };
  const begun = (facts: Partial<InteractionFacts>): DecisionInput => ({
    ...newUser,
    urlGroupId: production,
    interactions: before({ [first]: { step_id: stepId(0), ...facts }, ...others }),
  });

  it.each(['api_js', 'launcher', 'link'])(
    'continues a tour that was started by %s, also after a snooze',
    (group_kind) => {
      expect(shownBy(published, { ...begun({ ...inProgress, group_kind }), page: settings })).toEqual([first]);
      expect(shownBy(published, begun({ defer_until: now, group_kind }))).toEqual([first]);
    },
  );

  it('does not show a launcher on a domain that it leaves out, whatever asks for it', () => {
    const published = publish({
      experiences: { [first]: { kind: 'launcher', blocked_domains: ['app.example.com'] } },
    });
    const on = (href: string): DecisionInput => ({ ...newUser, page: parsePageAddress(href) });
    const left = on('https://APP.example.com:8443/team?a=b');
    expect(shownBy(published, left)).toEqual([]);
    expect(wordsFor(published, left, first)).toEqual([
      'It does not show on the domain “app.example.com”, which it leaves out',
    ]);
    const request = { model_id: first, once: false, use_segmentation: false, skip_url_match: true };
    expect(findReasonAgainst(published, left, request)).toEqual({ rule: 'blocked', host: 'app.example.com' });
    for (const other of ['https://example.com/', 'https://eu.app.example.com/']) {
      expect(shownBy(published, on(other))).toEqual([first]);
      expect(findReasonAgainst(published, on(other), request)).toBeUndefined();
    }
  });

  it('does not continue on a host of another Environment', () => {
    for (const facts of [inProgress, { defer_until: now }]) {
      const person = { ...begun({ ...facts, group_kind: 'api_js' }), urlGroupId: staging };
      expect(shownBy(published, person)).toEqual([]);
      expect(decide(published, person).waiting).toEqual([]);
      expect(wordsFor(published, person, first)).toEqual([
        'This page belongs to the Environment “Staging”: it shows only in “Production”',
      ]);
      expect(shownBy(published, { ...person, urlGroupId: null })).toEqual([first]);
    }
  });

  it('does not start again automatically', () => {
    expect(shownBy(published, begun({ group_kind: 'api_js' }))).toEqual([]);
    expect(shownBy(published, begun({ ...completed(now - DAY), defer_until: now, group_kind: 'api_js' }))).toEqual([]);
  });

  it('checks its experiment again when it started automatically instead', () => {
    expect(wordsFor(published, begun({ ...inProgress, group_kind: 'campaign' }), first)).toHaveLength(1);
    expect(wordsFor(published, begun({ defer_until: now, group_kind: 'campaign' }), first)).toHaveLength(3);
  });
});

describe('a tour or survey in progress', () => {
  const input = { ...steps('/a', '/settings'), segment_ids: [trial] };
  const begun = (facts: Partial<InteractionFacts>): DecisionInput => ({
    ...newUser,
    page: settings,
    interactions: before({ [first]: { ...inProgress, step_id: stepId(1), ...facts } }),
  });
  const published = publish({ experiences: { [first]: input }, isLoose: false });

  it('continues on the page of its last step, or of a later one, without checking its Segments again', () => {
    expect(shownBy(published, begun({}))).toEqual([first]);
    expect(shownBy(published, begun({ step_id: stepId(0) }))).toEqual([first]);
  });

  it('keeps others back only on pages where its step shows', () => {
    const two = publish({ experiences: { [first]: steps('/a', ''), [second]: { kind: 'survey' } } });
    const left = begun({ step_id: stepId(0) });
    // The first step is for another page. The user may have gone on to the second one, which only the page knows.
    expect(shownBy(two, left)).toEqual([second]);
    expect(ids(decide(two, left).waiting)).toEqual([first]);
    expect(ids(decide(two, left).experiences)).toEqual([first, second]);
    expect(wordsFor(two, left, first)).toEqual([
      'The user is in the middle of it, but its step does not show on this page',
    ]);
    expect(wordsFor(two, left, second)).toEqual([]);
    // The second step shows on every page, if its element is there.
    const goesOn = begun({ step_id: stepId(1) });
    expect(shownBy(two, goesOn)).toEqual([first]);
    expect(ids(decide(two, goesOn).waiting)).toEqual([second]);
    expect(wordsFor(two, goesOn, second)).toEqual([
      'Another one comes first: “The tour 1”. The user is in the middle of that one. If its step cannot show on this page, this one shows after 10 seconds',
    ]);
  });

  it('does not show on a page of none of its steps', () => {
    const elsewhere = { ...begun({}), page: parsePageAddress('https://app.example.com/elsewhere') };
    expect(decide(published, elsewhere).experiences).toEqual([]);
    expect(wordsFor(published, elsewhere, first)).toEqual([
      'The user is in the middle of it, but its step does not show on this page',
    ]);
  });

  it('counts a tour as in progress until 90 minutes after the last report', () => {
    expect(shownBy(published, begun({ updated_at: now - 90 * MINUTE }))).toEqual([first]);
    expect(shownBy(published, begun({ updated_at: now - 90 * MINUTE - 1 }))).toEqual([]);
  });

  it('does not count a snoozed, completed or exited tour as in progress', () => {
    expect(shownBy(published, begun({ defer_until: now + 1 }))).toEqual([]);
    expect(shownBy(published, begun(completed(now - MINUTE)))).toEqual([]);
    expect(shownBy(published, begun(exited(now - MINUTE)))).toEqual([]);
  });

  it('shows a tour in progress before others, and the latest one first', () => {
    const three = publish({ experiences: { [first]: { position: 0 }, [second]: {}, [third]: { position: 9 } } });
    const one = before({ [third]: inProgress });
    expect(shownBy(three, { ...newUser, interactions: one })).toEqual([third]);
    const two = before({ [third]: inProgress, [second]: { ...inProgress, updated_at: now - MINUTE } });
    expect(shownBy(three, { ...newUser, interactions: two })).toEqual([second]);
    expect(wordsFor(three, { ...newUser, interactions: two }, third)).toEqual([
      expect.stringMatching(/^Another one comes first: “The tour 2”/),
    ]);
    expect(ids(decide(three, { ...newUser, interactions: two }).experiences)).toEqual([second, first]);
  });

  it('never counts embeds, tooltips and launchers as in progress', () => {
    for (const kind of ['embed', 'tooltip', 'launcher'] as const) {
      const here = { kind, segment_ids: [trial], ...(kind === 'launcher' && { steps: [] }) };
      expect(shownBy(publish({ experiences: { [first]: here } }), begun({}))).toEqual([]);
    }
  });
});

describe('several tours and surveys', () => {
  it('shows one tour or survey at a time, by position, then by ID, beside all other kinds', () => {
    const published = publish({
      experiences: {
        [first]: { position: 2 },
        [second]: { kind: 'survey', position: 1 },
        [third]: { position: 1 },
        [id(4)]: { kind: 'embed' },
        [id(5)]: { kind: 'tooltip' },
        [id(6)]: { kind: 'launcher', steps: [] },
      },
    });
    expect(shownBy(published, newUser)).toEqual([second, id(4), id(5), id(6)]);
    for (const other of [first, third])
      expect(wordsFor(published, newUser, other)).toEqual(['Another one comes first: “The survey 2”']);
  });

  it('shows the next tour when the first is not for this user', () => {
    const published = publish({ experiences: { [first]: { segment_ids: [trial] }, [second]: {}, [third]: {} } });
    expect(shownBy(published, newUser)).toEqual([second]);
    expect(wordsFor(published, newUser, first)).toEqual(['The user is not in the Segment “Trial users”']);
  });
});

describe('a limit', () => {
  const HOURS = 24;
  const limit: LimitGroup = { ...oneADay, name: 'A day', period_hours: HOURS };
  const others: Record<string, ExperienceOverrides> = {
    [second]: {},
    [third]: { kind: 'survey', tag_ids: [otherTag] },
    [id(4)]: { kind: 'embed', tag_ids: [otherTag] },
  };
  const limited = (input: ExperienceOverrides = {}, group: Partial<LimitGroup> = {}) =>
    publish({ experiences: { [first]: input, ...others }, limitGroups: [{ ...limit, ...group }] });
  const begun = (of: Record<string, Partial<InteractionFacts>>): DecisionInput => ({
    ...newUser,
    interactions: before(
      Object.fromEntries(
        Object.entries(of).map(([key, facts]) => [key, { ...completed(now - HOUR), started_at: now - HOUR, ...facts }]),
      ),
    ),
  });

  it('hides a tour when enough others of its group have started', () => {
    expect(shownBy(limited(), begun({}))).toContain(first);
    expect(shownBy(limited(), begun({ [second]: {} }))).not.toContain(first);
    expect(wordsFor(limited(), begun({ [second]: {} }), first)).toEqual([
      'The limit “A day” is reached: 1 began in the last 24 hours, and 1 are the most',
    ]);
  });

  it.each<
    [
      fact: string,
      input: ExperienceOverrides,
      group: Partial<LimitGroup>,
      of: Record<string, Partial<InteractionFacts>>,
    ]
  >([
    ['Experiences that began before the period', {}, {}, { [second]: { started_at: now - HOURS * HOUR } }],
    ['Experiences that never began', {}, {}, { [second]: { state: 'displayed', started_at: null } }],
    ['the Experience itself', {}, {}, { [first]: { state: 'started', completed_at: null, updated_at: now - 3 * DAY } }],
    ['Experiences that a Delivery began', {}, {}, { [second]: { group_kind: 'api_js' } }],
    ['Experiences that a launcher began', {}, {}, { [second]: { group_kind: 'launcher' } }],
    ['embeds', {}, {}, { [id(4)]: {} }],
    ['Experiences that are gone', {}, {}, { [id(77)]: {} }],
    ['fewer than the most', {}, { max_count: 2 }, { [second]: {} }],
    ['surveys in a group of tours', {}, { kind: 'tour' }, { [third]: {} }],
    ['a tour in a group of surveys', {}, { kind: 'survey' }, { [third]: {} }],
    ['Experiences without its Tags', { tag_ids: [tagged] }, { kind: 'tags', tag_ids: [tagged] }, { [second]: {} }],
    ['a tour without its Tags', {}, { kind: 'tags', tag_ids: [otherTag] }, { [third]: {} }],
    ['Experiences of no group', {}, { kind: 'campaigns', experience_ids: [first, third] }, { [second]: {} }],
    [
      'an Experience that is not in the group',
      {},
      { kind: 'campaigns', experience_ids: [second, third] },
      { [second]: {} },
    ],
    ['an Experience that has no limit', { rate_unlimit_at: now }, {}, { [second]: {} }],
    ['an embed', { kind: 'embed', style: 'card' }, {}, { [second]: {} }],
  ])('does not count %s', (_, input, group, of) => {
    expect(wordsFor(limited(input, group), begun(of), first)).toEqual([]);
  });

  it.each<[fact: string, group: Partial<LimitGroup>, of: Record<string, Partial<InteractionFacts>>]>([
    ['the last moment of the period', {}, { [second]: { started_at: now - HOURS * HOUR + 1 } }],
    ['experiments', {}, { [second]: { group_kind: 'experiment' } }],
    ['surveys', {}, { [third]: {} }],
    ['as many as the most', { max_count: 2 }, { [second]: {}, [third]: {} }],
    ['tours in a group of tours', { kind: 'tour' }, { [second]: {} }],
    ['Experiences with a Tag of the group', { kind: 'tags', tag_ids: [tagged, otherTag] }, { [third]: {} }],
    ['Experiences of the group', { kind: 'campaigns', experience_ids: [first, second] }, { [second]: {} }],
  ])('counts %s', (_, group, of) => {
    expect(wordsFor(limited({ tag_ids: [tagged] }, group), begun(of), first)).toEqual([
      expect.stringContaining('The limit “A day”'),
    ]);
  });

  it('applies until the rate_unlimit_at of the Experience', () => {
    expect(wordsFor(limited({ rate_unlimit_at: now + 1 }), begun({ [second]: {} }), first)).toHaveLength(1);
  });

  it('does not stop an Experience that the user is in the middle of', () => {
    const person = begun({ [second]: {}, [first]: { ...inProgress, completed_at: null } });
    expect(shownBy(limited(), person)).toContain(first);
  });

  it('applies the limits of all groups of an Experience', () => {
    const groups = [
      { ...limit, max_count: 9 },
      { ...limit, name: 'An hour', period_hours: 2 },
    ];
    const published = publish({ experiences: { [first]: {}, ...others }, limitGroups: groups });
    expect(wordsFor(published, begun({ [second]: {} }), first)).toEqual([
      expect.stringContaining('The limit “An hour”'),
    ]);
  });

  const rows = [{ experience_id: second, day: 100, steps: 3, seconds: 40 }];
  const interrupted = (today: number) => ({ ...newUser, interrupted: { rows, today, timeZone: 'UTC' } });
  const week = { max_count: 1000, period_hours: 7 * 24 };
  it.each([
    ['reached by steps', { max_steps: 3 }, 106, 'the user had 3 steps in the last 7 days, and 3 steps are the most'],
    ['reached by seconds', { max_seconds: 40 }, 100, 'the user had 40 seconds in the last 7 days, and 40 seconds are'],
  ])('says when a limit is %s', (_, most, today, words) => {
    const reasons = wordsFor(limited({}, { ...week, ...most }), interrupted(today), first);
    expect(reasons).toEqual([expect.stringContaining(words)]);
  });

  it.each([
    ['fewer steps than the most', { max_steps: 4 }, 100],
    ['steps before the period', { max_steps: 3 }, 107],
    ['steps of another group', { max_steps: 3, kind: 'campaigns' as const, experience_ids: [first] }, 100],
  ])('does not stop an Experience because of %s', (_, most, today) => {
    expect(shownBy(limited({}, { ...week, ...most }), interrupted(today))).toContain(first);
  });
});

describe('a survey that ends after some Responses', () => {
  const all = (counts: Record<string, number>, input: ExperienceOverrides = {}) =>
    publish({ experiences: { [first]: { kind: 'survey', stop_after_responses: 200, ...input } }, counts });
  const ofEach: ExperienceOverrides = {
    ...{ stop_after_responses: null, stop_after_responses_per_segment: 50 },
    ...{ segment_ids: [trial, admins], segments_op: 'or' },
  };
  const request = { model_id: first, once: false, use_segmentation: false, skip_url_match: true };

  it('starts for nobody once it has them, also when it is requested', () => {
    expect(shownBy(all({ [`${first} `]: 199 }), newUser)).toContain(first);
    const full = all({ [`${first} `]: 200 });
    expect(shownBy(full, newUser)).not.toContain(first);
    expect(wordsFor(full, newUser, first)).toEqual(['The survey has its 200 answers, so it does not start any more']);
    expect(findReasonAgainst(full, newUser, request)).toEqual({ rule: 'responses', count: 200, segment: null });
  });

  it('goes on for users who are in the middle of it', () => {
    const inside = { ...newUser, interactions: before({ [first]: { state: 'started', updated_at: now - HOUR } }) };
    expect(shownBy(all({ [`${first} `]: 200 }), inside)).toContain(first);
  });

  it('starts for users of a Segment until that has given its own', () => {
    const published = all({ [`${first} ${trial}`]: 50, [`${first} ${admins}`]: 49, [`${first} `]: 99 }, ofEach);
    const isIn = (...ids: string[]) => ({ ...newUser, inSegment: (segment: string) => ids.includes(segment) });
    expect(shownBy(published, isIn(admins))).toContain(first);
    for (const input of [isIn(trial), isIn(trial, admins)]) {
      expect(shownBy(published, input)).not.toContain(first);
      expect(wordsFor(published, input, first)).toEqual([
        'The Segment “Trial users” has given its 50 answers to the survey, so it does not start for its users any more',
      ]);
    }
  });
});

describe('a Delivery', () => {
  const delivery: PendingDelivery = {
    id: id(41),
    model_id: first,
    from_at: null,
    until_at: null,
    once: false,
    use_segmentation: false,
    skip_url_match: true,
  };
  const sent = (input: Partial<PendingDelivery>, person: Partial<DecisionInput> = {}): DecisionInput => ({
    ...newUser,
    deliveries: [{ ...delivery, ...input }],
    ...person,
  });
  const explained = (published: PublishedData, person: DecisionInput) =>
    explain(published, person, []).deliveries.map(({ ready, dropped, reasons }) => ({
      ready,
      dropped,
      reasons: reasons.map(describeReason),
    }));
  const ready = { ready: true, dropped: false, reasons: [] };
  const tour = publish({ experiences: { [first]: on('/settings') } });

  it('marks a Delivery as ready when there is no reason against it, wherever it would start automatically', () => {
    const input = {
      ...on('/settings'),
      style: 'manual',
      segment_ids: [trial],
      url_group_ids: [production],
      experiment_at: now,
      experiment_range: '0-1',
    };
    const limitGroups = [oneADay];
    const published = publish({ experiences: { [first]: input, [second]: {} }, limitGroups });
    const person = sent(
      {},
      {
        urlGroupId: production,
        interactions: before({ [first]: completed(now - HOUR), [second]: { started_at: now - HOUR } }),
      },
    );
    expect(decide(published, person)).toMatchObject({
      deliveries: [{ id: id(41), ready: true, dropped: false }],
      experiences: [{ id: first }],
      automatic: [],
    });
    expect(explained(published, person)).toEqual([ready]);
  });

  it('keeps a Delivery pending on a host of another Environment', () => {
    const published = publish({ experiences: { [first]: { url_group_ids: [production] } } });
    const reasons = ['This page belongs to the Environment “Staging”: it shows only in “Production”'];
    for (const urlGroupId of [production, null])
      expect(explained(published, sent({}, { urlGroupId }))).toEqual([ready]);
    const elsewhere = sent({ use_segmentation: true }, { urlGroupId: staging });
    expect(explained(published, elsewhere)).toEqual([{ ready: false, dropped: false, reasons }]);
    expect(decide(published, elsewhere).experiences).toEqual([]);
    expect(decide(published, sent({ from_at: now + HOUR }, { urlGroupId: staging })).experiences).toEqual([]);
  });

  it('keeps a Delivery pending while the user is disabled', () => {
    expect(explained(tour, sent({ use_segmentation: true }, { disabled: true }))).toEqual([
      { ready: false, dropped: false, reasons: ['The user is switched off: the property `disabled` is true'] },
    ]);
    expect(decide(tour, sent({}, { disabled: true })).experiences).toEqual([]);
  });

  it('does not mark a Delivery as ready before `from`', () => {
    expect(explained(tour, sent({ from_at: now }))).toEqual([ready]);
    expect(explained(tour, sent({ from_at: now + 1 }))).toEqual([
      { ready: false, dropped: false, reasons: ['Its time has not come: it begins on 2029-04-07T12:00:00.001Z'] },
    ]);
  });

  it('leaves out a Delivery once `until` has passed', () => {
    expect(decide(tour, sent({ until_at: now })).deliveries).toEqual([{ id: id(41), ready: true, dropped: false }]);
    expect(decide(tour, sent({ until_at: now - 1 }))).toEqual({
      ...{ automatic: [], waiting: [], experiences: [], deliveries: [] },
    });
    expect(explained(tour, sent({ until_at: now - 1 }))).toEqual([
      { ready: false, dropped: false, reasons: ['Its time is over: it ended on 2029-04-07T11:59:59.999Z'] },
    ]);
  });

  it('does not mark a Delivery as ready while its Experience is not live', () => {
    expect(explained(publish({ experiences: {} }), sent({ skip_url_match: false, use_segmentation: true }))).toEqual([
      {
        ready: false,
        dropped: false,
        reasons: ['It is not live: it was not published, or its time has not come or is over'],
      },
    ]);
  });

  it('drops a Delivery with `use_segmentation` only when the Segments do not match', () => {
    const published = publish({ experiences: { [first]: { ...on('/settings'), segment_ids: [trial] } } });
    expect(explained(published, sent({}))).toEqual([ready]);
    expect(explained(published, sent({ use_segmentation: true }, { inSegment: () => true }))).toEqual([ready]);
    const reasons = ['The user is not in the Segment “Trial users”'];
    expect(explained(published, sent({ use_segmentation: true }))).toEqual([{ ready: false, dropped: true, reasons }]);
    expect(decide(published, sent({ use_segmentation: true })).experiences).toEqual([]);
    for (const waiting of [{ from_at: now + 1 }, { skip_url_match: false }, { until_at: now - 1 }]) {
      const [one] = explained(published, sent({ use_segmentation: true, ...waiting }));
      expect(one).toMatchObject({ ready: false, dropped: false });
      expect(one?.reasons).toHaveLength(2);
    }
  });

  it('does not mark a Delivery with `once` as ready when the Experience has started before', () => {
    const seen = { interactions: before({ [first]: completed(now - DAY) }) };
    const displayed = { interactions: before({ [first]: { state: 'displayed', started_at: null } }) };
    expect(explained(tour, sent({ once: true }))).toEqual([ready]);
    expect(explained(tour, sent({ once: true }, displayed))).toEqual([ready]);
    expect(explained(tour, sent({}, seen))).toEqual([ready]);
    expect(explained(tour, sent({ once: true }, seen))).toEqual([
      {
        ready: false,
        dropped: false,
        reasons: ['The user has seen it before, on 2029-04-04T12:00:00.000Z, and it is to be seen once'],
      },
    ]);
  });

  it('marks a Delivery without `skip_url_match` as ready only on a page of the first step', () => {
    expect(explained(tour, sent({ skip_url_match: false }, { page: settings }))).toEqual([ready]);
    expect(explained(tour, sent({ skip_url_match: false }))).toEqual([
      { ready: false, dropped: false, reasons: ['This page is none of those on which it begins'] },
    ]);
  });

  it('marks a Delivery without `skip_triggers` as ready, because the page waits for the triggers', () => {
    const input = { ...delivery, skip_triggers: false };
    expect(decide(tour, { ...newUser, deliveries: [input] }).deliveries).toEqual([
      { id: id(41), ready: true, dropped: false },
    ]);
  });

  it('hides automatic tours and surveys, and nothing else, when a Delivery is ready', () => {
    const published = publish({
      experiences: { [first]: on('/settings'), [second]: {}, [third]: { kind: 'embed' }, [id(4)]: { kind: 'survey' } },
    });
    const person = { ...sent({}), interactions: before({ [second]: inProgress }) };
    const { automatic, experiences } = decide(published, person);
    expect(ids(automatic)).toEqual([third]);
    expect(ids(experiences)).toEqual([first, third]);
    expect(wordsFor(published, person, first)).toEqual([]);
    for (const other of [second, id(4)])
      expect(wordsFor(published, person, other)).toEqual(['Another one comes first: “The tour 1”']);
    const waiting = { ...person, deliveries: [{ ...delivery, from_at: now + DAY }] };
    expect(ids(decide(published, waiting).automatic)).toEqual([second, third]);
  });

  it('keeps the order of the pending Deliveries', () => {
    const published = publish({ experiences: { [first]: {}, [second]: { kind: 'survey' } } });
    const deliveries = [
      { ...delivery, id: id(42), model_id: second },
      { ...delivery, id: id(43), from_at: now + DAY },
      { ...delivery, id: id(41) },
    ];
    const decision = decide(published, { ...newUser, deliveries });
    expect(ids(decision.deliveries)).toEqual([id(42), id(43), id(41)]);
    expect(ids(decision.experiences)).toEqual([second, first]);
  });

  it('sends the content of a Delivery only when `from` is reached while the page may be open', () => {
    const soon = { from_at: now + 12 * HOUR };
    expect(ids(decide(tour, sent(soon)).experiences)).toEqual([first]);
    expect(decide(tour, sent({ from_at: now + 12 * HOUR + 1 })).experiences).toEqual([]);
    expect(decide(tour, sent({ ...soon, skip_url_match: false })).experiences).toEqual([]);
    expect(decide(tour, sent(soon, { disabled: true })).experiences).toEqual([]);
  });

  it('sends an Experience once when it is delivered and also shows automatically', () => {
    const published = publish({ experiences: { [first]: {} } });
    const { automatic, experiences } = decide(published, sent({ from_at: now + HOUR }));
    expect(ids(automatic)).toEqual([first]);
    expect(ids(experiences)).toEqual([first]);
  });
});

/* Any users on any pages, with anything published. */

const oneOf = <T>(...values: T[]) => fc.constantFrom(...values);
const moment = fc.integer({ min: -4, max: 4 }).map((hours) => now + hours * HOUR);
const momentOrNull = fc.option(moment, { nil: null });
const input: fc.Arbitrary<ExperienceOverrides> = fc
  .record({
    kind: oneOf(...experienceKinds),
    isManual: fc.boolean(),
    position: fc.integer({ min: 0, max: 2 }),
    urls: fc.array(oneOf('', '/', '/settings'), { minLength: 1, maxLength: 3 }),
    segment_ids: fc.subarray([trial, admins]),
    segments_op: oneOf('and', 'or'),
    excluded_segment_ids: fc.subarray([trial, admins]),
    tag_ids: fc.subarray([tagged, otherTag]),
    url_group_ids: fc.subarray([staging, production]),
    experiment_at: momentOrNull,
    experiment_range: oneOf('0-50', '50-100', null),
    repeat_days: oneOf(0, 1, null),
    rate_unlimit_at: momentOrNull,
  })
  .map(({ isManual, urls, kind, ...rest }) => ({
    ...rest,
    kind,
    ...((kind === 'tour' || kind === 'survey') && isManual && { style: 'manual' }),
    ...(kind === 'launcher'
      ? { steps: [], quantifier_urls: urls.filter((url) => url).map(simple) }
      : steps(...(kind === 'tooltip' ? urls.slice(0, 1) : urls))),
  }));
const keys = [1, 2, 3, 4, 5].map(id);
const interaction: fc.Arbitrary<InteractionFacts> = fc.record({
  state: oneOf('displayed', 'started', 'completed', 'exited'),
  updated_at: moment,
  started_at: momentOrNull,
  completed_at: momentOrNull,
  exited_at: momentOrNull,
  defer_until: momentOrNull,
  group_kind: oneOf('campaign', 'experiment', 'api_js', null),
  step_id: oneOf(null, ...[0, 1, 2].map(stepId)),
});
const pending = fc.record({
  model_id: oneOf(...keys),
  from_at: momentOrNull,
  until_at: momentOrNull,
  once: fc.boolean(),
  use_segmentation: fc.boolean(),
  skip_url_match: fc.boolean(),
});
const limitGroup = fc.record({
  name: fc.constant('Some'),
  max_count: fc.integer({ min: 1, max: 2 }),
  period_hours: fc.integer({ min: 1, max: 5 }),
  ...{ max_steps: fc.constant(null), max_seconds: fc.constant(null) },
  ...{ kind: oneOf(...memberKinds), experience_ids: fc.subarray(keys), tag_ids: fc.subarray([tagged, otherTag]) },
});
const worlds = fc.record({
  experiences: fc.dictionary(oneOf(...keys), input, { maxKeys: 5 }),
  limitGroups: fc.array(limitGroup, { maxLength: 2 }),
  interactions: fc.dictionary(oneOf(...keys), interaction, { maxKeys: 5 }),
  deliveries: fc.array(pending, { maxLength: 2 }),
  urlGroupId: oneOf(staging, null),
  percent: oneOf(0, 49.99, 50, 100),
  page: oneOf(home, settings),
  isDisabled: fc.integer({ min: 0, max: 19 }).map((drawn) => drawn === 0),
  segments: fc.subarray([trial, admins]),
});

function draw({
  isDisabled,
  segments,
  experiences,
  limitGroups,
  interactions,
  deliveries,
  ...rest
}: typeof worlds extends fc.Arbitrary<infer T> ? T : never) {
  const app: AppContext = {
    experiences,
    limitGroups: limitGroups.map((group, at) => ({ ...group, id: id(30 + at) })),
  };
  const person: DecisionInput = {
    now,
    budget: new PatternBudget(),
    ...rest,
    disabled: isDisabled,
    inSegment: (key) => segments.includes(key),
    interactions: new Map(Object.entries(interactions)),
    deliveries: deliveries.map((one, at) => ({ ...one, id: id(40 + at) })),
    starts: [],
  };
  return { app, person };
}

describe('an Experience that a page requests', () => {
  const plain = { model_id: first, once: false, use_segmentation: false, skip_url_match: true };
  const against = (
    input: ExperienceOverrides,
    person: Partial<DecisionInput>,
    request: Partial<ExplicitRequest> = {},
  ) => {
    const published = publish({ experiences: { [first]: input } });
    const reason = findReasonAgainst(published, { ...newUser, ...person }, { ...plain, ...request });
    return reason && describeReason(reason);
  };

  it('shows regardless of targeting, pages and history', () => {
    const input = { ...on('/settings'), segment_ids: [trial], style: 'manual', url_group_ids: [staging] };
    const interactions = before({ [first]: completed(now - DAY) });
    expect(against(input, { interactions, urlGroupId: staging })).toBeUndefined();
    expect(against(input, { interactions })).toBeUndefined();
  });

  it('does not show on a host of another Environment', () => {
    expect(against({ url_group_ids: [staging] }, { urlGroupId: production })).toContain('Environment “Production”');
  });

  it('does not show to a user in an excluded Segment with use_segmentation', () => {
    const inside = { inSegment: (one: string) => one === trial };
    expect(against({ excluded_segment_ids: [trial] }, inside, { use_segmentation: true })).toContain('“Trial users”');
    expect(against({ excluded_segment_ids: [trial] }, inside)).toBeUndefined();
    expect(against({ excluded_segment_ids: [admins] }, inside, { use_segmentation: true })).toBeUndefined();
  });

  it('does not show to a user who is disabled', () => {
    expect(against({}, { disabled: true })).toContain('`disabled`');
  });

  it('shows only to users of its Segments with use_segmentation', () => {
    const request = { use_segmentation: true };
    expect(against({ segment_ids: [trial] }, {}, request)).toContain('“Trial users”');
    expect(against({ segment_ids: [trial] }, { inSegment: (one) => one === trial }, request)).toBeUndefined();
  });

  it('shows only to users who never started it with once', () => {
    const request = { once: true };
    expect(against({}, { interactions: before({ [first]: {} }) }, request)).toContain('to be seen once');
    expect(against({}, { interactions: before({ [first]: { started_at: null } }) }, request)).toBeUndefined();
  });

  it('shows only on the pages of its first step without skip_url_match', () => {
    const request = { skip_url_match: false };
    expect(against(on('/settings'), {}, request)).toContain('none of those on which it begins');
    expect(against(on('/settings'), { page: settings }, request)).toBeUndefined();
  });

  it('does not show while it is not live', () => {
    expect(against({}, {}, { model_id: second })).toContain('not live');
  });
});

describe('decide and explain', () => {
  it('shows an Experience exactly when there is no reason against it', () => {
    fc.assert(
      fc.property(worlds, (drawn) => {
        const { app, person } = draw(drawn);
        const published = publish(app);
        const { automatic, waiting, deliveries } = decide(published, person);
        const delivered = person.deliveries.filter((one) => deliveries.some((two) => two.id === one.id && two.ready));
        const shown = new Set([...ids(automatic), ...delivered.map(({ model_id }) => model_id)]);
        const explained = explain(published, person, keys);
        expect(explained.experiences.map(({ shows }) => shows)).toEqual(keys.map((key) => shown.has(key)));
        for (const { shows, reasons } of explained.experiences) expect(shows).toBe(reasons.length === 0);
        for (const one of waiting) expect(shown.has(one.id) || !isExclusive(one)).toBe(false);
        for (const { urlGroupIds } of [...automatic, ...waiting])
          if (urlGroupIds.length > 0 && person.urlGroupId) expect(urlGroupIds).toContain(person.urlGroupId);
        for (const { ready, reasons } of explained.deliveries) expect(ready).toBe(reasons.length === 0);
        const decidedAgain = explained.deliveries.map(({ reasons: _, ...decided }) => decided);
        expect(decidedAgain.filter((one) => ids(deliveries).includes(one.id))).toEqual(deliveries);
      }),
      { numRuns: randomRuns(400) },
    );
  });

  it('shows at most one automatic tour or survey, and none beside a Delivery', () => {
    fc.assert(
      fc.property(worlds, (drawn) => {
        const { app, person } = draw(drawn);
        const { automatic, deliveries } = decide(publish(app), person);
        const exclusive = automatic.filter(({ kind }) => kind === 'tour' || kind === 'survey');
        expect(exclusive.length).toBeLessThanOrEqual(deliveries.some(({ ready }) => ready) ? 0 : 1);
      }),
      { numRuns: randomRuns(200) },
    );
  });

  it('decides each Experience independently of the other candidates', () => {
    fc.assert(
      fc.property(worlds, (drawn) => {
        const { app, person } = draw(drawn);
        const tight = decide(publish({ ...app, isLoose: false }), person);
        expect(ids(tight.automatic)).toEqual(ids(decide(publish(app), person).automatic));
      }),
      { numRuns: randomRuns(200) },
    );
  });
});
