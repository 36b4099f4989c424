import Type from 'typebox';
import { Text } from '../basics/schema.ts';
import { emailKey } from '../ingestion/profile.ts';
import { glob } from '../patterns/glob.ts';

const MAX_TEST_EMAILS = 20;
const MAX_PATTERN_LENGTH = 200;

/** The patterns of an account, as an owner sends them. */
export const TestEmails = Type.Array(
  Text(`an email such as \`ann@acme.test\`, or a pattern such as \`*@acme.test\``, MAX_PATTERN_LENGTH),
  {
    maxItems: MAX_TEST_EMAILS,
    description: `a list of at most ${MAX_TEST_EMAILS} emails or patterns such as \`*@acme.test\`, where \`*\` stands for any text`,
  },
);

/** Checks the patterns, and leaves out repeated ones. A pattern that matched every user would make every count 0. */
export function readTestEmails(patterns: readonly string[]): { patterns: string[] } | { problem: string } {
  const byKey = new Map<string, string>();
  for (const sent of patterns) {
    const pattern = sent.trim();
    if (!/[\p{L}\p{N}]/u.test(pattern))
      return { problem: `\`test_emails\`: \`${pattern}\` needs a letter or a digit, or it would match every user` };
    if (/[\s\p{Cc}]/u.test(pattern))
      return { problem: `\`test_emails\`: \`${pattern}\` has a space in it, give one email or pattern each` };
    if (!byKey.has(emailKey(pattern))) byKey.set(emailKey(pattern), pattern);
  }
  return { patterns: [...byKey.values()] };
}

export interface MarkedProfile {
  /** What an administrator has set. Null if the patterns decide. */
  test: boolean | null;
  email: string | null;
}

export type TestUserRule = (profile: MarkedProfile) => boolean;

/**
 * Returns the rule for who is a test user, whom no number counts. Letter case does not matter. The time to match an email is
 * linear in its length, whatever the patterns are.
 */
export function createTestUserRule(patterns: readonly string[]): TestUserRule {
  const matchers = patterns.map((pattern) => glob(emailKey(pattern)));
  return ({ test, email }) => {
    if (test !== null || email === null || matchers.length === 0) return test ?? false;
    const key = emailKey(email);
    return matchers.some((matches) => matches(key));
  };
}
