// The page's icon, as SVG and as PNG for phones that take nothing else.
import { crc32, deflateSync } from 'node:zlib';

/** In its units, a square of 96: stairs, and the pawl beside them. */
const [stairs, pawl] = [
  [
    { from: 22, to: 36, top: 50 },
    { from: 36, to: 50, top: 38 },
    { from: 50, to: 64, top: 26 },
  ],
  { at: 74, top: 24, width: 7 },
];
const bottom = 68;
const colours = { ground: '131417', stair: '8aa8ff', pawl: '5bc98c' };

export const svgIcon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96"><rect width="96" height="96" fill="#${colours.ground}"/>${stairs
  .map(
    ({ from, to, top }) => `<path d="M${from} ${bottom}V${top}H${to}V${bottom}z" fill="#${colours.stair}"/>`,
  )
  .join(
    '',
  )}<path d="M${pawl.at} ${pawl.top}V${bottom}" stroke="#${colours.pawl}" stroke-width="${pawl.width}" stroke-linecap="round"/></svg>\n`;

/** What iOS asks for. */
const size = 180;

export function pngIcon(): Uint8Array<ArrayBuffer> {
  const rows = Buffer.alloc(size * (1 + 3 * size));
  for (let y = 0; y < size; y += 1)
    for (let x = 0; x < size; x += 1)
      rows.write(colourAt((x * 96) / size, (y * 96) / size), y * (1 + 3 * size) + 1 + 3 * x, 'hex');
  const head = Buffer.alloc(13);
  head.writeUInt32BE(size, 0);
  head.writeUInt32BE(size, 4);
  // Eight bits of red, green and blue each.
  head.set([8, 2], 8);
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  return Uint8Array.from(
    Buffer.concat([signature, chunk('IHDR', head), chunk('IDAT', deflateSync(rows)), chunk('IEND')]),
  );
}

function colourAt(x: number, y: number): string {
  const isPawl = Math.hypot(x - pawl.at, y - Math.min(Math.max(y, pawl.top), bottom)) <= pawl.width / 2;
  if (isPawl) return colours.pawl;
  const isStair = stairs.some(({ from, to, top }) => x >= from && x < to && y >= top && y < bottom);
  return isStair ? colours.stair : colours.ground;
}

function chunk(type: string, data: Uint8Array = new Uint8Array()): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const whole = Buffer.alloc(body.length + 8);
  whole.writeUInt32BE(data.length, 0);
  body.copy(whole, 4);
  whole.writeUInt32BE(crc32(body), body.length + 4);
  return whole;
}
