import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { placeBeside } from './placement.ts';

const view = { width: 1000, height: 800 };
const box = { width: 300, height: 100 };
const target = { left: 480, top: 380, width: 40, height: 40 };

describe('a box', () => {
  it('is beside the middle of its target, on the side that is wanted', () => {
    expect(placeBeside(target, box, view)).toEqual({ side: 'bottom', left: 350, top: 432, arrow: 150 });
    expect(placeBeside(target, box, view, 'top')).toEqual({ side: 'top', left: 350, top: 268, arrow: 150 });
    expect(placeBeside(target, box, view, 'right')).toEqual({ side: 'right', left: 532, top: 350, arrow: 50 });
    expect(placeBeside(target, box, view, 'left')).toEqual({ side: 'left', left: 168, top: 350, arrow: 50 });
  });

  it('is opposite where there is no room, and elsewhere where there is none either', () => {
    const side = (left: number, top: number, wanted?: Parameters<typeof placeBeside>[3], of = view) =>
      placeBeside({ ...target, left, top }, box, of, wanted).side;
    expect(side(480, 750)).toBe('top');
    expect(side(480, 20, 'top')).toBe('bottom');
    expect(side(20, 380, 'left')).toBe('right');
    expect(side(480, 80, 'top', { width: 1000, height: 200 })).toBe('right');
  });

  it('points at its target from where it was shifted to', () => {
    expect(placeBeside({ ...target, left: 0 }, box, view)).toEqual({ side: 'bottom', left: 8, top: 432, arrow: 16 });
    expect(placeBeside({ ...target, left: 900 }, box, view)).toEqual({
      side: 'bottom',
      left: 692,
      top: 432,
      arrow: 228,
    });
  });

  it('is in view wherever its target is, and does not cover it where it need not', () => {
    const number = (max: number) => fc.integer({ min: 0, max });
    fc.assert(
      fc.property(
        number(960),
        number(760),
        fc.constantFrom('auto', 'top', 'right', 'bottom', 'left'),
        (left, top, wanted) => {
          const at = { ...target, left, top };
          const placed = placeBeside(at, box, view, wanted as 'auto');
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
