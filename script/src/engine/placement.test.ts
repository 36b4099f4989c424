import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Placement, placeBeside } from './placement.ts';

const view = { width: 1000, height: 800 };
const box = { width: 300, height: 100 };
const target = { left: 480, top: 380, width: 40, height: 40 };

describe('placeBeside', () => {
  it('centers the box beside the target, on the preferred side', () => {
    const sized = { height: 100 };
    expect(placeBeside(target, box, view, 'bottom')).toEqual({
      side: 'bottom',
      left: 350,
      top: 432,
      arrow: 150,
      ...sized,
    });
    expect(placeBeside(target, box, view, 'top')).toEqual({ side: 'top', left: 350, top: 268, arrow: 150, ...sized });
    expect(placeBeside(target, box, view, 'right')).toEqual({
      side: 'right',
      left: 532,
      top: 350,
      arrow: 50,
      ...sized,
    });
    expect(placeBeside(target, box, view, 'left')).toEqual({ side: 'left', left: 168, top: 350, arrow: 50, ...sized });
  });

  type Preferred = Parameters<typeof placeBeside>[3];
  const side = (left: number, top: number, preferred?: Preferred, area = view, current?: Placement['side']) =>
    placeBeside({ ...target, left, top }, box, area, preferred, current).side;

  it.each([
    [480, 20, 'bottom'],
    [480, 740, 'top'],
    [20, 380, 'right'],
    [940, 380, 'left'],
    [20, 100, 'right'],
    [940, 640, 'left'],
    [480, 380, 'bottom'],
  ])('takes the side with the most room for a target at %i, %i: %s', (left, top, expected) => {
    expect(side(left, top)).toBe(expected);
  });

  it('uses the opposite side if there is no room, then the one with the most room', () => {
    expect(side(480, 20, 'top')).toBe('bottom');
    expect(side(20, 380, 'left')).toBe('right');
    expect(side(400, 80, 'top', { width: 1000, height: 200 })).toBe('right');
  });

  it('stays at its side while it fits there', () => {
    expect(side(480, 130, 'auto', view, 'top')).toBe('top');
    expect(side(480, 100, 'auto', view, 'top')).toBe('bottom');
    expect(side(480, 600, 'auto', view, 'bottom')).toBe('bottom');
  });

  it('comes back to the side of the author when it fits there easily', () => {
    expect(side(480, 120, 'top')).toBe('top');
    expect(side(480, 120, 'top', view, 'bottom')).toBe('bottom');
    expect(side(480, 144, 'top', view, 'bottom')).toBe('top');
  });

  it.each(['auto', 'top', 'left'] as const)('does not move back and forth while the page scrolls: %s', (preferred) => {
    for (const area of [view, { width: 320, height: 568 }, { width: 320, height: 300 }]) {
      for (let top = 0; top < area.height - 40; top++) {
        let current: Placement['side'] | undefined;
        const seen = [0, 3, 0, 3, 0, 3].map((by) => {
          current = placeBeside(
            { ...target, left: 140, top: top + by },
            { width: 288, height: 200 },
            area,
            preferred,
            current,
          ).side;
          return current;
        });
        // It may move once.
        expect([top, seen.filter((one, at) => at > 0 && one !== seen[at - 1]).length <= 1]).toEqual([top, true]);
      }
    }
  });

  it('makes a box lower that would cover its target', () => {
    const phone = { width: 320, height: 568 };
    const tall = { width: 288, height: 400 };
    const at = (top: number) => placeBeside({ ...target, left: 140, top }, tall, phone);
    expect(at(200)).toMatchObject({ side: 'bottom', top: 252, height: 308 });
    expect(at(400)).toMatchObject({ side: 'top', top: 8, height: 380 });
    expect(placeBeside({ left: 0, top: 0, width: 320, height: 568 }, tall, phone).height).toBe(400);
  });

  it('points the arrow at the target after the box was shifted into view', () => {
    const bottom = { side: 'bottom', top: 432, height: 100 };
    expect(placeBeside({ ...target, left: 0 }, box, view, 'bottom')).toEqual({ ...bottom, left: 8, arrow: 16 });
    expect(placeBeside({ ...target, left: 900 }, box, view, 'bottom')).toEqual({ ...bottom, left: 692, arrow: 228 });
  });

  it('keeps the box in view and does not cover the target', () => {
    const number = (max: number) => fc.integer({ min: 0, max });
    fc.assert(
      fc.property(
        number(960),
        number(760),
        fc.constantFrom(view, { width: 1000, height: 400 }, { width: 320, height: 568 }),
        fc.constantFrom('auto', 'top', 'right', 'bottom', 'left'),
        fc.constantFrom(undefined, 'top' as const, 'right' as const, 'bottom' as const, 'left' as const),
        fc.constantFrom(100, 200, 350),
        (x, y, view, preferred, current, height) => {
          const [left, top] = [Math.min(x, view.width - 40), Math.min(y, view.height - 40)];
          const at = { ...target, left, top };
          const placed = placeBeside(at, { ...box, height }, view, preferred as 'auto', current);
          expect(placed.left >= 8 && placed.left + box.width <= view.width - 8).toBe(true);
          expect(placed.top >= 8 && placed.top + placed.height <= view.height - 8).toBe(true);
          const isBeside =
            placed.left >= left + 40 ||
            placed.left + box.width <= left ||
            placed.top >= top + 40 ||
            placed.top + placed.height <= top;
          expect(isBeside).toBe(true);
        },
      ),
    );
  });
});
