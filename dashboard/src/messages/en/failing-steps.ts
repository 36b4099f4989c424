import { formatDate, formatNumber, formatPercent } from '../format.ts';

interface Missed {
  /** The step or launcher that did not find its element. */
  subject: string;
  share: number;
  total: number;
  path: string;
  browser: string;
}

export const browserNames: Record<string, string> = {
  chrome: 'Chrome',
  edge: 'Edge',
  firefox: 'Firefox',
  safari: 'Safari',
};

const people = (share: number, total: number) =>
  total === 1 ? 'the only person' : `${formatPercent(Number(share.toFixed(2)))} of ${formatNumber(total)} people`;

export const failingSteps = {
  step: (place: number) => `Step ${formatNumber(place)}`,
  launcher: 'The launcher',
  removed: 'A step that the draft no longer has',
  missed: ({ subject, share, total, path, browser }: Missed) => {
    const place = browserNames[browser] === undefined ? path : `${path} in ${browserNames[browser]}`;
    return `${subject} did not find its element for ${people(share, total)} in 24 hours, most often on ${place}.`;
  },
  /** The text beside the element itself. */
  short: (share: number, total: number) => `Not found for ${people(share, total)} in 24 hours`,
  since: (time: Date) => `It began on ${formatDate(time)}.`,
  pickAgain: 'Pick again',
  pickStep: (place: number) => `Pick the element of step ${formatNumber(place)} again`,
  more: (count: number) => (count === 1 ? 'One more step fails.' : `${formatNumber(count)} more steps fail.`),
  /** The text in a list, where there is little room. */
  inList: (steps: number) => (steps === 1 ? 'A step does not show' : `${formatNumber(steps)} steps do not show`),
  inListShort: (steps: number) => (steps === 1 ? 'A step fails' : `${formatNumber(steps)} steps fail`),
  ofPart: 'Its element is not found',
};
