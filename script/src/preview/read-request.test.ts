import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readRequest } from './read-request.ts';

const tour = { id: 'e', kind: 'tour', steps: [{ id: 's1', title: ['One'] }, { id: 's2' }] };
const request = {
  usher: 'preview',
  experience: tour,
  step: 1,
  mode: 'edit',
  scheme: 'dark',
  direction: 'rtl',
  still: true,
};

describe('a message to the preview', () => {
  it('is read if it can be painted', () => {
    expect(readRequest(request)).toEqual(request);
  });

  it.each([
    null,
    undefined,
    'text',
    [],
    {},
    { ...request, usher: 'other' },
    { ...request, experience: null },
    { ...request, experience: { ...tour, id: 1 } },
    { ...request, experience: { ...tour, kind: '__proto__' } },
    { ...request, experience: { ...tour, steps: 'x' } },
    { ...request, experience: { ...tour, steps: [null] } },
    { ...request, experience: { ...tour, steps: [{ id: 's', title: 'text' }] } },
    { ...request, experience: { ...tour, steps: [{ id: 's', buttons: [1] }] } },
    { ...request, experience: { ...tour, steps: [{ id: 's', elements: [{ selector: {} }] }] } },
    { ...request, experience: { ...tour, steps: [{ id: 's', preset: {} }] } },
    { ...request, experience: { ...tour, steps: [{ id: 's', dropdown_items: ['x'] }] } },
    { ...request, experience: { ...tour, steps: Array.from({ length: 501 }, () => ({ id: 's' })) } },
    { ...request, experience: { ...tour, items: [{}] } },
    { ...request, experience: { ...tour, language: {} } },
  ])('is rejected if it cannot: %j', (message) => {
    expect(readRequest(message)).toBe(undefined);
  });

  it('gets a step that exists, and the defaults for what it does not know', () => {
    const read = readRequest({
      ...request,
      step: 9,
      mode: 'evil',
      scheme: 1,
      direction: {},
      still: 'yes',
      labels: { a: 1 },
    });
    expect(read).toEqual({
      ...{ usher: 'preview', experience: tour, step: 1, mode: 'picture' },
      ...{ scheme: 'light', direction: 'ltr', still: false },
    });
    for (const step of [-1, 0.5, '1', Number.NaN]) expect(readRequest({ ...request, step })?.step).toBe(0);
  });

  it('has no address left that an item could lead to', () => {
    const items = [
      { id: 'i1', title: ['One'], url: 'javascript:alert(1)' },
      { id: 'i2', kind: 'divider' },
      { id: 'i3', url: ['https://example.com/', { option: 'x' }] },
    ];
    const read = readRequest({ ...request, experience: { id: 'e', kind: 'launcher', items } });
    expect(read?.experience.items?.map(({ url }) => url)).toEqual(['#items.0', undefined, '#items.2']);
  });

  it('never throws', () => {
    fc.assert(
      fc.property(fc.anything(), fc.anything(), (steps, items) => {
        readRequest(steps);
        readRequest({ ...request, experience: { id: 'e', kind: 'tour', steps, items } });
      }),
    );
  });
});
