import { describe, expect, it } from 'vitest';
import { readEvent, toDraftPath } from './read-event.ts';

describe('a message of the preview', () => {
  it.each([
    { usher: 'preview', event: 'ready' },
    { usher: 'preview', event: 'step', step: 2 },
    { usher: 'preview', event: 'text', path: 'steps.1.buttons.0.text' },
    { usher: 'preview', event: 'end', state: 'exited' },
    { usher: 'preview', event: 'painted', step: 0, box: null },
    { usher: 'preview', event: 'painted', step: 0, box: { left: 0, top: 1, width: 2, height: 3 } },
  ])('is read: %j', (message) => {
    expect(readEvent(message)).toEqual(message);
  });

  it.each([
    null,
    'ready',
    { event: 'ready' },
    { usher: 'preview', event: 'toString' },
    { usher: 'preview', event: 'step', step: -1 },
    { usher: 'preview', event: 'step', step: '1' },
    { usher: 'preview', event: 'text', path: 'steps.0.__proto__["x"]' },
    { usher: 'preview', event: 'text', path: ['title'] },
    { usher: 'preview', event: 'painted', step: 0, box: {} },
    { usher: 'preview', event: 'painted', step: 0, box: { left: Number.NaN, top: 1, width: 2, height: 3 } },
  ])('is ignored: %j', (message) => {
    expect(readEvent(message)).toBe(undefined);
  });
});

describe('the path in the draft', () => {
  const draft = { items: [{ id: 'a' }, { id: 'hidden' }, { id: 'b' }] };
  const content = { id: 'e', kind: 'launcher' as const, items: [{ id: 'a' }, { id: 'b' }, { id: 'gone' }] };

  it('counts the parts that users do not see', () => {
    expect(toDraftPath('items.1.title', content, draft)).toBe('items.2.title');
    expect(toDraftPath('title', content, draft)).toBe('title');
  });

  it('does not exist for a part that was removed', () => {
    expect(toDraftPath('items.2.title', content, draft)).toBe(undefined);
    expect(toDraftPath('steps.0.title', content, draft)).toBe(undefined);
  });
});
