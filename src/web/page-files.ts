// The files of the page, and what a browser needs to install it.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Failure } from '../failure.ts';

/** `at`: its path on the server. */
export type PageFile = Readonly<{ at: string; type: string; content: string | Uint8Array<ArrayBuffer> }>;

/** They contain nothing of any run, so they need no token. */
export function readPageFiles(packageRoot: string): readonly PageFile[] {
  const read = (name: string): Uint8Array<ArrayBuffer> => {
    const file = path.join(packageRoot, 'dist', 'web', name);
    try {
      return Uint8Array.from(readFileSync(file));
    } catch (cause) {
      throw new Failure('environment', `the dashboard's page is not built: ${file} is missing`, {
        hint: 'From a clone: npm run build',
        cause,
      });
    }
  };
  return [
    { at: '/', type: 'text/html; charset=utf-8', content: pageHtml },
    { at: '/page.js', type: 'text/javascript; charset=utf-8', content: read('page.js') },
    { at: '/page.css', type: 'text/css; charset=utf-8', content: read('page.css') },
    { at: '/icon.svg', type: 'image/svg+xml; charset=utf-8', content: read('icon.svg') },
    { at: '/icon.png', type: 'image/png', content: read('icon.png') },
    {
      at: '/app.webmanifest',
      type: 'application/manifest+json; charset=utf-8',
      content: JSON.stringify(manifest),
    },
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
