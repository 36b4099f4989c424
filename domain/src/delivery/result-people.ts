import Type, { type Static } from 'typebox';
import { Id, OneOf, Text, Time } from '../basics/schema.ts';

/** The scores that are counted: the last one of each user. */
export const scoreValues: readonly string[] = Array.from({ length: 11 }, (_, value) => String(value));

/**
 * What a number of the results counts. `reached` and `left` are of the flow through steps, and `score` is the last answer to a question
 * with a score.
 */
export const peopleMeasures = [
  ...(['displayed', 'started', 'completed', 'exited', 'snoozed', 'goal'] as const),
  ...(['step', 'reached', 'left', 'back', 'button', 'item', 'answer', 'wrote', 'score'] as const),
] as const;
export type PeopleMeasure = (typeof peopleMeasures)[number];

/** What is empty in the rows, because it is unknown or the default. */
export const NO_VALUE = 'none';

const dimension = (what: string) => Type.Optional(Text(`${what}, or \`${NO_VALUE}\``, 40));

export const resultPeople = {
  what: OneOf(peopleMeasures),
  part_id: Type.Optional(Type.Unsafe<string>({ ...Id, description: 'the ID of a step, a button or an item' })),
  options: Type.Optional(
    Type.Array(Text('an answer: the ID of an option or a button, a number, or `other`'), {
      minItems: 1,
      maxItems: 50,
      description: 'a list of answers to the step `part_id`',
    }),
  ),
  from: Type.Optional(Time),
  until: Type.Optional(Time),
  language: dimension('the code of a language'),
  device: Type.Optional(OneOf(['desktop', 'mobile', 'tablet', NO_VALUE])),
  url_group_id: dimension('the ID of an Environment'),
  version_id: dimension('the ID of a version'),
  segment_id: Type.Optional(Type.Unsafe<string>({ ...Id, description: 'the ID of a Segment' })),
};
const ResultPeople = Type.Object(resultPeople);
export type ResultPeople = Static<typeof ResultPeople>;

const withPart: readonly PeopleMeasure[] = [
  'step',
  'reached',
  'left',
  'back',
  'button',
  'item',
  'answer',
  'wrote',
  'score',
];
const withOptions: readonly PeopleMeasure[] = ['answer', 'score'];
const splitBy = ['language', 'device', 'url_group_id', 'version_id'] as const;

export function findPeopleProblems({ what, part_id, options, ...others }: ResultPeople): string[] {
  const problems: string[] = [];
  if (withPart.includes(what) && part_id === undefined)
    problems.push(`\`part_id\` is required with \`what=${what}\`: give the ID of the step, button or item`);
  if (withOptions.includes(what) !== (options !== undefined))
    problems.push(
      options === undefined
        ? `\`options\` is required with \`what=${what}\`: give one answer or more`
        : '`options` is for `what=answer` and `what=score`',
    );
  const split = splitBy.filter((name) => others[name] !== undefined);
  if (split.length > 1)
    problems.push(`Give one of ${split.map((name) => `\`${name}\``).join(', ')}: results are split by one`);
  if (split.length > 0 && withOptions.concat('wrote', 'left').includes(what))
    problems.push(`\`${split[0]}\` is not for \`what=${what}\``);
  return problems;
}
