import { expect, it } from 'vitest';
import * as text from '../../../messages/text.ts';
import { chooseAction, describeActions, onlyOpensPage } from './button-actions.tsx';

const open = { tour_action: null, additional_actions: ['cta_url' as const] };
const none = { tour_action: null, additional_actions: [] };

it('reads a button that opens a page, and stays on the step, as one choice', () => {
  expect(onlyOpensPage(open)).toBe(true);
  expect(describeActions(open as never)).toBe(text.content.noActions);
  expect(onlyOpensPage({ ...open, tour_action: 'next' })).toBe(false);
  expect(describeActions({ ...open, tour_action: 'next' } as never)).toBe('Also opens a page');
});

it('turns a choice into what a click does', () => {
  expect(chooseAction(none, 'url')).toEqual(open);
  expect(chooseAction({ tour_action: 'next', additional_actions: ['tag_user'] }, 'url')).toEqual({
    tour_action: null,
    additional_actions: ['cta_url', 'tag_user'],
  });
  expect(chooseAction(open, 'exit')).toEqual({ tour_action: 'exit', additional_actions: [] });
  expect(chooseAction(open, 'none')).toEqual(none);
});

it('keeps the page of a button that goes on, too', () => {
  expect(chooseAction({ tour_action: 'next', additional_actions: ['cta_url'] }, 'exit')).toEqual({
    tour_action: 'exit',
  });
  expect(chooseAction({ tour_action: 'next', additional_actions: ['cta_url'] }, 'none')).toEqual(none);
});
