import { expect, it } from 'vitest';
import { findParams } from './find-params.ts';

it.each([
  ['`name` is required: give a name', [{ param: 'name', problem: 'is required: give a name' }]],
  [
    '`steps[0].buttons[1].text` has 600 characters: 500 at most',
    [{ param: 'steps[0].buttons[1].text', problem: 'has 600 characters: 500 at most' }],
  ],
  ['`data.x-y` is unknown', [{ param: 'data.x-y', problem: 'is unknown' }]],
  [
    '`id` and `uid` are of different profiles',
    [
      { param: 'id', problem: '`id` and `uid` are of different profiles' },
      { param: 'uid', problem: '`id` and `uid` are of different profiles' },
    ],
  ],
  ['`POST /v3/session` is for people', []],
  ['There is no `name` here', []],
  ['The body is not valid JSON', []],
])('finds the parameters that a message is about: %s', (message, errors) => {
  expect(findParams([message])).toEqual(errors);
});

it('lists the parameters of all messages in their order', () => {
  expect(findParams(['`b` is wrong', 'Something else', '`a` is wrong']).map(({ param }) => param)).toEqual(['b', 'a']);
});
