// The code blocks of the guides, and of which kind each may be: `sh` is run, or `sh elsewhere` by a test that is named here;
// `text` is output; plans and settings are read.
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');

/** All pages. */
export const pages = ['README.md', 'SECURITY.md', ...globSync('{docs,docker}/*.md', { cwd: root })].sort();

/** One fenced block: its first line, the words behind the fence, its text. */
export type Block = Readonly<{ line: number; kind: string; rest: string; text: string }>;

/** The fenced blocks of a page, in order. */
export function blocksOf(page: string): readonly Block[] {
  const text = readFileSync(path.join(root, page), 'utf8');
  return [...text.matchAll(/^(`{3,})(.*)\n([\s\S]*?)^\1$/gm)].map((match) => {
    const [, , info = '', body = ''] = match;
    const [kind = '', ...rest] = info.trim().split(' ');
    return { line: text.slice(0, match.index).split('\n').length, kind, rest: rest.join(' '), text: body };
  });
}

/** Shell blocks that need more than a scratch repository, and the tests that run what they say. */
const elsewhere: readonly (readonly [RegExp, string])[] = [
  [/^npm ci && npx pawl demo$/, 'test/story/demo.test.ts'],
  [/^npm ci && npm test$/, '.ci/run'],
  [/^npm ci && npm install --global \.$/, 'test/story/install.test.ts'],
  [/^pawl run login --agent codex/, 'test/story/acp.test.ts'],
  [/^pawl run --sandbox docker/, 'test/story/sandbox.test.ts'],
  [/^pawl prove\b/, 'test/story/prove.test.ts'],
  [/^pawl plan "/, 'test/story/plan.test.ts'],
  [/^pawl run docs\/plans\/\*\.md /, 'test/story/in-turn.test.ts'],
  [/^pawl web /, 'test/story/web.test.ts'],
  [/^npm (?:version|pack)\b/, 'test/package.test.ts'],
  [/^docker build /, 'test/story/sandbox-image.test.ts'],
];

/** What is wrong with a block's kind; undefined for a good one. */
export function judgeBlock({ kind, rest, text }: Block): string | undefined {
  if (kind === 'sh') {
    if (rest === '' || (rest === 'elsewhere' && isRunElsewhere(text))) return undefined;
    return 'a shell block is run (sh), or test/helpers/doc-blocks.ts names the test that runs it (sh elsewhere)';
  }
  if (kind === 'yaml') return ['', 'action'].includes(rest) ? undefined : 'yaml is settings or the action';
  return ['text', 'markdown', 'dockerfile', 'json', 'ruby'].includes(kind)
    ? undefined
    : 'it is sh, text, markdown, yaml, json, dockerfile or ruby';
}

function isRunElsewhere(text: string): boolean {
  const found = elsewhere.find(([shape]) => shape.test(text.trim().split('\n')[0] ?? ''));
  return found !== undefined && existsSync(path.join(root, found[1]));
}
