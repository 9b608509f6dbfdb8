// The icon as a picture of pixels.
import { inflateSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { pngIcon } from '../../src/web/page-files.ts';

test('the PNG has the size that it says, and the colours of the stairs, the pawl and the ground', () => {
  const png = Buffer.from(pngIcon());
  expect(png.subarray(0, 8).toString('latin1')).toBe('\x89PNG\r\n\x1a\n');
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  const data = png.indexOf('IDAT');
  const rows = inflateSync(png.subarray(data + 4, data + 4 + png.readUInt32BE(data - 4)));
  expect(rows).toHaveLength(height * (1 + 3 * width));
  const pixel = (x: number, y: number) => {
    const at = y * (1 + 3 * width) + 1 + 3 * x;
    return rows.toString('hex', at, at + 3);
  };
  expect([pixel(0, 0), pixel(55, 110), pixel(139, 80)]).toEqual(['131417', '8aa8ff', '5bc98c']);
});
