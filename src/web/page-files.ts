// The files of the page, and what a browser needs to install it.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import { Failure } from '../failure.ts';

/** `at`: its path on the server. */
export type PageFile = Readonly<{ at: string; type: string; content: string | Uint8Array<ArrayBuffer> }>;

/** They contain nothing of any run, so they need no token. */
export function readPageFiles(packageRoot: string): readonly PageFile[] {
  const read = (name: string): string => {
    const file = path.join(packageRoot, 'dist', 'web', name);
    try {
      return readFileSync(file, 'utf8');
    } catch (cause) {
      throw new Failure('environment', `the dashboard's page is not built: ${file} is missing`, {
        hint: 'From a clone: npm run build',
        cause,
      });
    }
  };
  return [
    { at: '/', type: 'text/html', content: pageHtml },
    { at: '/page.js', type: 'text/javascript', content: read('page.js') },
    { at: '/page.css', type: 'text/css', content: read('page.css') },
    { at: '/icon.svg', type: 'image/svg+xml', content: svgIcon },
    { at: '/icon.png', type: 'image/png', content: pngIcon() },
    { at: '/app.webmanifest', type: 'application/manifest+json', content: JSON.stringify(manifest) },
  ];
}

/** An installed page uses the token that the link left in this browser. */
const manifest = {
  name: 'pawl',
  short_name: 'pawl',
  id: '/',
  start_url: '/',
  scope: '/',
  display: 'standalone',
  background_color: '#131417',
  theme_color: '#131417',
  icons: [
    { src: '/icon.svg', sizes: 'any', type: 'image/svg+xml', purpose: 'any maskable' },
    { src: '/icon.png', sizes: '180x180', type: 'image/png' },
  ],
};

const pageHtml = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<meta name="theme-color" content="#fbfbfa" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="#131417" media="(prefers-color-scheme: dark)">
<title>pawl</title>
<link rel="icon" href="/icon.svg">
<link rel="apple-touch-icon" href="/icon.png">
<link rel="manifest" href="/app.webmanifest">
<link rel="stylesheet" href="/page.css">
</head>
<body>
<div id="app"><p class="empty">Loading …</p></div>
<noscript>This page needs JavaScript; <code>pawl status</code> and <code>pawl report</code> tell the same.</noscript>
<script type="module" src="/page.js"></script>
</body>
</html>
`;

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

const svgIcon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96"><rect width="96" height="96" fill="#${colours.ground}"/>${stairs
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
