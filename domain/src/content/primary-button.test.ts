import { describe, expect, it } from 'vitest';
import { findPrimaryButton, moveLast } from './primary-button.ts';

const button = (text: string, tour_action: string | null) => ({ text, tour_action });
const [next, back, exit, open] = [
  button('Next', 'next'),
  button('Back', 'previous'),
  button('Not now', 'exit'),
  button('Open', null),
];

describe('the primary button', () => {
  it.each([
    [[next, back], next],
    [[back, next], next],
    [[exit, back, open], open],
    [[exit, back], exit],
    [[button('Later', 'snooze'), next], next],
    [[], undefined],
  ])('is the first one that leads on, otherwise the first: %#', (buttons, expected) => {
    expect(findPrimaryButton(buttons)).toBe(expected);
  });

  it('comes last, and the others keep their order', () => {
    expect(moveLast([next, back, exit], next)).toEqual([back, exit, next]);
    expect(moveLast([back, exit], undefined)).toEqual([back, exit]);
  });
});
