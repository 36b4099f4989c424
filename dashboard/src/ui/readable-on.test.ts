import { expect, it } from 'vitest';
import { contrast, readableOn } from './readable-on.ts';

it('has a contrast of 4.5 on every color', () => {
  const shares = ['00', '33', '66', '99', 'cc', 'ff'];
  const colors = shares.flatMap((red) => shares.flatMap((green) => shares.map((blue) => `#${red}${green}${blue}`)));
  expect(colors.filter((color) => contrast(color, readableOn(color)) < 4.5)).toEqual([]);
  expect([readableOn('#000000'), readableOn('#ffffff'), readableOn('#1E90FF')]).toEqual([
    '#ffffff',
    '#000000',
    '#000000',
  ]);
});
