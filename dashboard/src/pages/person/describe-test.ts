import * as text from '../../messages/text.ts';
import type { PersonDetails } from '../../people/person-details.ts';

const { test: texts } = text.person;

/** Says whether a person is a test user, and why. */
export function describeTest({ test, is_test }: Pick<PersonDetails, 'test' | 'is_test'>): string {
  if (test !== null) return test ? texts.yes : texts.no;
  return is_test ? texts.byPattern : texts.byNoPattern;
}
