import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { chooseSide, placeCard, toRoom } from './place-card.ts';

const room = { width: 600, height: 400 };
const card = { width: 300, height: 100 };
const place = (box: Parameters<typeof chooseSide>[0], size = card) =>
  placeCard(chooseSide(box, size, room), box, size, room);

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
