import { expect, it } from 'vitest';
import { emptyDocument } from './experience.ts';
import { summarizeContent } from './summarize-content.ts';

const tour = (...titles: (string | null)[]) =>
  ({ ...emptyDocument('tour'), steps: titles.map((title) => ({ title })) }) as never;

it('counts the steps, and names the first of them', () => {
  expect(summarizeContent(tour('Hello', null, 'Your team', 'Done'))).toBe('4 steps: “Hello”, “Your team”, “Done”');
  expect(summarizeContent(tour('A', 'B', 'C', 'D'))).toBe('4 steps: “A”, “B”, “C”, …');
  expect(summarizeContent(tour('👋'.repeat(61)))).toBe(`1 step: “${'👋'.repeat(59)}…”`);
});

it('counts the items of a launcher', () => {
  const items = [{ title: 'Docs' }, { title: null }];
  expect(summarizeContent({ ...emptyDocument('launcher'), items } as never)).toBe('2 items: “Docs”');
});

it('says nothing about an empty Experience', () => {
  expect(summarizeContent(tour())).toBeNull();
  expect(summarizeContent(tour(null))).toBe('1 step');
});
