// The built page: its script, its style, and the document that loads them.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Failure } from '../failure.ts';

export type Assets = Readonly<{ script: string; style: string }>;

export function readAssets(packageRoot: string): Assets {
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
  return { script: read('page.js'), style: read('page.css') };
}

/** The document; it contains nothing about any run. */
export const pageHtml = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<title>pawl</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="/page.css">
</head>
<body>
<div id="app"><p class="boot">Loading …</p></div>
<noscript>This page needs JavaScript; <code>pawl status</code> and <code>pawl report</code> tell the same.</noscript>
<script type="module" src="/page.js"></script>
</body>
</html>
`;
