import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { placeBeside } from './placement.ts';

const view = { width: 1000, height: 800 };
const box = { width: 300, height: 100 };
const target = { left: 480, top: 380, width: 40, height: 40 };

describe('placeBeside', () => {
  it('centers the box beside the target, on the preferred side', () => {
    expect(placeBeside(target, box, view)).toEqual({ side: 'bottom', left: 350, top: 432, arrow: 150 });
    expect(placeBeside(target, box, view, 'top')).toEqual({ side: 'top', left: 350, top: 268, arrow: 150 });
    expect(placeBeside(target, box, view, 'right')).toEqual({ side: 'right', left: 532, top: 350, arrow: 50 });
    expect(placeBeside(target, box, view, 'left')).toEqual({ side: 'left', left: 168, top: 350, arrow: 50 });
  });

  it('uses the opposite side if there is no room, then any other side', () => {
    const side = (left: number, top: number, preferred?: Parameters<typeof placeBeside>[3], area = view) =>
      placeBeside({ ...target, left, top }, box, area, preferred).side;
    expect(side(480, 750)).toBe('top');
    expect(side(480, 20, 'top')).toBe('bottom');
    expect(side(20, 380, 'left')).toBe('right');
    expect(side(480, 80, 'top', { width: 1000, height: 200 })).toBe('right');
  });

  it('points the arrow at the target after the box was shifted into view', () => {
    expect(placeBeside({ ...target, left: 0 }, box, view)).toEqual({ side: 'bottom', left: 8, top: 432, arrow: 16 });
    expect(placeBeside({ ...target, left: 900 }, box, view)).toEqual({
      side: 'bottom',
      left: 692,
      top: 432,
      arrow: 228,
    });
  });

  it('keeps the box in view and does not cover the target', () => {
    const number = (max: number) => fc.integer({ min: 0, max });
    fc.assert(
      fc.property(
        number(960),
        number(760),
        fc.constantFrom('auto', 'top', 'right', 'bottom', 'left'),
        (left, top, preferred) => {
          const at = { ...target, left, top };
          const placed = placeBeside(at, box, view, preferred as 'auto');
          expect(placed.left >= 8 && placed.left + box.width <= view.width - 8).toBe(true);
          expect(placed.top >= 8 && placed.top + box.height <= view.height - 8).toBe(true);
          const isBeside =
            placed.left >= left + 40 ||
            placed.left + box.width <= left ||
            placed.top >= top + 40 ||
            placed.top + box.height <= top;
          expect(isBeside).toBe(true);
        },
      ),
    );
  });
});
