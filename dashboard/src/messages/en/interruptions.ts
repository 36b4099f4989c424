import { exclusiveWords } from './exclusive-kinds.ts';

/** Texts of the tab "Interruptions" of Analytics. */
export const interruptions = {
  intro: `An interruption is a ${exclusiveWords} that started automatically. What people open themselves, and what your code, a link or a button opens, does not count.`,
  measure: 'What is counted',
  measures: { interruptions: 'Interruptions', steps: 'Steps seen', seconds: 'Seconds' },
  week: 'Week',
  weekOf: (day: string) => `Week of ${day}`,
  thisWeek: (day: string) => `This week, since ${day}`,
  distribution: 'People by what they got',
  distributionHelp: {
    interruptions: 'How many interruptions each person had in this week.',
    steps: 'How many different steps of interruptions each person saw on the days of this week.',
    seconds:
      'How long the steps of interruptions were there for each person in this week: 5 minutes a step at most. A page that is closed says no time.',
  },
  columns: { amount: 'In the week', people: 'People' },
  none: 'None',
  range: (least: string, most: string) => `${least} to ${most}`,
  moreThan: (count: string) => `More than ${count}`,
  titles: {
    interruptions: (amount: string) => `Interruptions: ${amount}`,
    steps: (amount: string) => `Steps seen: ${amount}`,
    seconds: (amount: string) => `Seconds: ${amount}`,
  },
  people: (count: string, isOne: boolean, all: string) =>
    `${count} of ${all} people ${isOne ? 'was' : 'were'} interrupted in this week.`,
  facts: { median: 'Median', p90: '9 of 10 people at most', max: 'Most' },
  factsHelp: 'Of the people with at least one.',
  trend: 'By week',
  legend: 'What the chart shows',
  trendHelp: 'Of the people with at least one in the week.',
  knownFrom: (day: string) => `Counted since ${day}: what was shown before is not in these numbers.`,
  limits: 'Limit groups',
  limitsHelp: 'If people get too much, a limit group keeps the next one from starting.',
  empty: {
    title: 'Nobody was interrupted',
    text: `No ${exclusiveWords} has started automatically in these weeks.`,
  },
};
