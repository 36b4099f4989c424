import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PreviewRect } from '../../../../script/src/preview/messages.ts';
import { chooseSide, placeCard, toRoom } from './place-card.ts';

const room = { width: 600, height: 400 };
const card = { width: 300, height: 100 };
const place = (box: PreviewRect, size = card, around: PreviewRect | null = null) =>
  placeCard(chooseSide({ box, around }, size, room), { box, around }, size, room);

describe('a rectangle of the frame', () => {
  const box = { left: 100, top: 50, width: 200, height: 20 };

  it('is smaller if the frame is', () => {
    const frame = { width: 1200, height: 800, scale: 0.5 };
    expect(toRoom(box, frame, room)).toEqual({ left: 50, top: 25, width: 100, height: 10 });
  });

  it('is moved by the room around the frame', () => {
    const frame = { width: 400, height: 300, scale: 1 };
    expect(toRoom(box, frame, room)).toEqual({ left: 200, top: 100, width: 200, height: 20 });
  });
});

describe('the card', () => {
  it('is below its text', () => {
    expect(place({ left: 110, top: 100, width: 200, height: 20 })).toEqual({ left: 100, top: 130 });
  });

  it('is above its text if there is no room below', () => {
    expect(place({ left: 110, top: 300, width: 200, height: 20 })).toEqual({ left: 100, top: 190 });
  });

  describe('in an Experience', () => {
    const around = { left: 100, top: 150, width: 300, height: 120 };

    it('is above a title, and leaves the texts below it free', () => {
      expect(place({ left: 120, top: 160, width: 200, height: 20 }, card, around)).toEqual({ left: 110, top: 40 });
    });

    it('is below a button', () => {
      expect(place({ left: 120, top: 240, width: 50, height: 20 }, card, around)).toEqual({ left: 110, top: 280 });
    });

    it('is below a title if there is no room above', () => {
      const high = { ...around, top: 50 };
      expect(place({ left: 120, top: 60, width: 200, height: 20 }, card, high)).toEqual({ left: 110, top: 90 });
    });

    it('covers other texts rather than its own', () => {
      const low = { ...around, top: 140, height: 250 };
      const tall = { width: 300, height: 150 };
      expect(place({ left: 120, top: 190, width: 200, height: 190 }, tall, low)).toEqual({ left: 110, top: 8 });
    });

    it('is beside its text if the edge is far away', () => {
      const tall = { ...around, top: 10, height: 380 };
      expect(place({ left: 120, top: 180, width: 200, height: 20 }, card, tall)).toEqual({ left: 110, top: 70 });
    });
  });

  it('covers a text that leaves no room', () => {
    expect(place({ left: 110, top: 20, width: 200, height: 360 })).toEqual({ left: 100, top: 292 });
  });

  it('starts at the edge if it is larger than the preview', () => {
    expect(place({ left: 110, top: 100, width: 200, height: 20 }, { width: 900, height: 900 })).toEqual({
      left: 8,
      top: 8,
    });
  });

  it('is inside of the preview, wherever the text is', () => {
    const any = fc.double({ min: -5_000, max: 5_000, noNaN: true });
    fc.assert(
      fc.property(any, any, any, any, (left, top, width, height) => {
        const found = place({ left, top, width, height });
        expect(found.left).toBeGreaterThanOrEqual(8);
        expect(found.left + card.width).toBeLessThanOrEqual(room.width - 8);
        expect(found.top).toBeGreaterThanOrEqual(8);
        expect(found.top + card.height).toBeLessThanOrEqual(room.height - 8);
      }),
    );
  });
});
