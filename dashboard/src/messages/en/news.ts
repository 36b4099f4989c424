import { formatNumber, formatPercent } from '../format.ts';

/** Texts of the part of Home that says what changed since somebody was there. */

const number = (value: number) => formatNumber(value);
const percent = (share: number) => formatPercent(Math.round(share * 100) / 100);
const people = (count: number) => (count === 1 ? '1 person' : `${number(count)} people`);
const verbs = (before: number, after: number) => (after > before ? 'rose' : 'fell');

interface Values {
  before: number;
  after: number;
}

const fromTo = (what: string, { before, after }: Values, show: (value: number) => string) =>
  `${what} ${verbs(before, after)} from ${show(before)} to ${show(after)}`;

export const news = {
  title: 'Since you were here',
  since: (day: string) => `Since ${day}`,
  empty: (day: string) => `Nothing changed more than chance since ${day}.`,
  emptyHelp: 'Rates, scores and numbers of people are compared with the days before.',
  rise: 'Rose',
  fall: 'Fell',
  fact: 'New',
  problem: 'Problem',
  changed: {
    completion: (values: Values) => fromTo('completion', values, percent),
    start: (values: Values) => fromTo('the share of people who start it', values, percent),
    goal: (values: Values) => fromTo('the share of people who reach the goal', values, percent),
    nps: (values: Values) => fromTo('the NPS', values, number),
    people: ({ before, after }: Values) =>
      `${people(after)} saw it, ${after > before ? 'up' : 'down'} from ${number(before)} on such days`,
  },
  after: {
    published: (day: string) => `after it was published on ${day}`,
    paused: (day: string) => `after it was paused on ${day}`,
    ended: (day: string) => `after it ended on ${day}`,
    archived: (day: string) => `after it was archived on ${day}`,
    restored: (day: string) => `after it was restored on ${day}`,
    segment: (day: string) => `after one of its Segments changed on ${day}`,
    environment: (day: string) => `after one of its Environments changed on ${day}`,
  },
  sinceDay: (day: string) => `since ${day}`,
  wentLive: (day: string, count: number) =>
    count === 0
      ? `went live on ${day}, and no one has seen it yet`
      : `went live on ${day}, and ${people(count)} ${count === 1 ? 'has' : 'have'} seen it`,
  responses: (count: number, comments: number) => {
    const responses = count === 1 ? 'has 1 new Response' : `has ${number(count)} new Responses`;
    return comments === 0 ? responses : `${responses}, ${number(comments)} with a comment`;
  },
  failing: (day: string, count: number, step: number | null) =>
    `${step === null ? 'a step' : `step ${number(step)}`} does not show since ${day}: ${people(count)} did not see it`,
  sentence: (name: string, what: string) => `“${name}”: ${what}.`,
  factSentence: (name: string, what: string) => `“${name}” ${what}.`,
  showChange: 'Show the change',
  details: {
    changed: 'Show the results',
    went_live: 'Show the results',
    responses: 'Read the Responses',
    step_failing: 'Open the Experience',
  },
};
