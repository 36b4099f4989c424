import { expect, it } from 'vitest';
import { readableText } from './readable-text.ts';

it.each([
  [null, ''],
  ['Welcome', 'Welcome'],
  ['Hi {{first_name}}', 'Hi [first_name]'],
  ['Hi {{first_name | fallback: "there"}}!', 'Hi [first_name or there]!'],
  ['{{delivery "manager.name"}} says hi', '[manager.name] says hi'],
  ['{{#if plan == "gold"}}Thank you{{else}}Upgrade{{/if}} now', '[Thank you or Upgrade] now'],
  [
    'Since {{time_ago started_on}}, {{global "app.plan" fallback="none"}}',
    'Since [time_ago started_on], [app.plan or none]',
  ],
  ['Hi {{first_name', 'Hi {{first_name'],
])('reads %j as %j', (source, expected) => {
  expect(readableText(source)).toBe(expected);
});
