import { expect, it } from 'vitest';
import { describeFileError, problemOfFile, resultsOfMessages } from './check-files.ts';

it.each([
  ['de.json', 10, undefined],
  ['DE.YAML', 10, undefined],
  ['de.yml', 10, undefined],
  ['de.xliff', 10, 'This is not a JSON or YAML file.'],
  ['de.json', 11_000_000, 'The file is larger than 10 MB. Split it.'],
])('checks %s with %i bytes before it is sent', (name, size, problem) => {
  expect(problemOfFile({ name, size })).toBe(problem);
});

it('finds the messages of each file when all of them fail', () => {
  const messages = ['de.json: `id` is wrong', 'de.json: `language` is missing', 'ar.json: is no JSON'];
  expect(resultsOfMessages(['de.json', 'ar.json'], messages).map(({ errors }) => errors)).toEqual([
    ['`id` is wrong', '`language` is missing'],
    ['is no JSON'],
  ]);
});

it('makes a sentence of a message', () => {
  expect(describeFileError('`experiences[0].id` is the ID of no Experience')).toBe(
    'Experiences[0].id is the ID of no Experience.',
  );
});
