import { describe, expect, it } from 'vitest';
import { readEvent, translatePath } from './read-event.ts';

const box = { left: 0, top: 1, width: 2, height: 3 };

describe('a message of the preview', () => {
  it.each([
    { usher: 'preview', event: 'ready' },
    { usher: 'preview', event: 'step', step: 2 },
    { usher: 'preview', event: 'text', path: 'steps.1.buttons.0.text', box },
    { usher: 'preview', event: 'end', state: 'exited' },
    { usher: 'preview', event: 'painted', step: 0, box: null, overflow: [] },
    { usher: 'preview', event: 'painted', step: 0, box, overflow: ['steps.0.buttons.1.text', 'title'] },
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
    { usher: 'preview', event: 'text', path: 'steps.0.__proto__["x"]', box },
    { usher: 'preview', event: 'text', path: ['title'], box },
    { usher: 'preview', event: 'text', path: 'steps.0.title' },
    { usher: 'preview', event: 'text', path: 'steps.0.title', box: null },
    { usher: 'preview', event: 'text', path: 'steps.0.title', box: { ...box, left: '0' } },
    { usher: 'preview', event: 'text', path: 'steps.0.title', box: { ...box, top: Number.POSITIVE_INFINITY } },
    { usher: 'preview', event: 'painted', step: 0, box: {}, overflow: [] },
    { usher: 'preview', event: 'painted', step: 0, box },
    { usher: 'preview', event: 'painted', step: 0, box, overflow: ['<b>'] },
    { usher: 'preview', event: 'painted', step: 0, box: { ...box, left: Number.NaN }, overflow: [] },
  ])('is ignored: %j', (message) => {
    expect(readEvent(message)).toBe(undefined);
  });
});

describe('the path of a text', () => {
  const draft = { items: [{ id: 'a' }, { id: 'hidden' }, { id: 'b' }] };
  const content = { id: 'e', kind: 'launcher' as const, items: [{ id: 'a' }, { id: 'b' }, { id: 'gone' }] };

  it('counts the parts that users do not see in the draft, and not in the page', () => {
    expect(translatePath('items.1.title', content, draft)).toBe('items.2.title');
    expect(translatePath('items.2.title', draft, content)).toBe('items.1.title');
    expect(translatePath('title', content, draft)).toBe('title');
  });

  it('does not exist for a part that is not there', () => {
    expect(translatePath('items.2.title', content, draft)).toBe(undefined);
    expect(translatePath('items.1.title', draft, content)).toBe(undefined);
    expect(translatePath('steps.0.title', content, draft)).toBe(undefined);
  });
});
