// The demo as text: a toy repository with a plan of two tasks, and what the agent does. Its first try at the first is
// wrong, so that a red check is corrected.

/** `NONCE` in what is said is the session's. */
export type DemoStep = Readonly<
  { say: string } | { bash: string } | { write: Readonly<{ file: string; content: string }> }
>;

/** Answers a message with the text, perhaps only while a file is missing. */
export type DemoTurn = Readonly<{ when: string; without?: string; steps: readonly DemoStep[] }>;

const wrapCode = (fits: string) => `// Breaks text into lines that are not longer than a width.
export function wrap(text, width) {
  const lines = [''];
  for (const word of text.split(/\\s+/).filter(Boolean)) {
    const line = lines.at(-1);
    if (line === '') lines[lines.length - 1] = word;
    else if (${fits}) lines[lines.length - 1] = \`\${line} \${word}\`;
    else lines.push(word);
  }
  return lines.join('\\n');
}
`;

const head = `import assert from 'node:assert/strict';
import { test } from 'node:test';
`;

const widthTest = `${head}import { spawnSync } from 'node:child_process';

test('a width that is no number is refused', () => {
  const { status } = spawnSync(process.execPath, ['src/cli.js', 'wrap', 'wide', 'one two']);
  assert.equal(status, 2);
});
`;

const widthFile = 'test/width.test.js';
const addedLines = widthTest.trimEnd().split('\n');

/** Found while the test that proves it is not there. */
const finding = {
  file: 'src/cli.js',
  line: 7,
  severity: 'minor',
  title: 'wrap takes a width that is no number',
  evidence: 'node src/cli.js wrap wide "one two" prints a word a line and exits with 0',
  suggestion: '',
  proof: {
    command: `node --test ${widthFile}`,
    patch: [
      '--- /dev/null',
      `+++ b/${widthFile}`,
      `@@ -0,0 +1,${addedLines.length} @@`,
      ...addedLines.map((line) => `+${line}`),
      '',
    ].join('\n'),
  },
};

const cliCode = (fits: string) => `// The command line: \`node src/cli.js wrap WIDTH TEXT\`.
import { wrap } from './wrap.js';

const [command, ...words] = process.argv.slice(2);
if (command === 'wrap'${fits}) console.log(wrap(words.slice(1).join(' '), Number(words[0])));
else {
  console.error('usage: cli.js wrap WIDTH TEXT');
  process.exitCode = 2;
}
`;

const report = (findings: readonly object[]): DemoStep => ({
  say: `\`\`\`json\n${JSON.stringify({ findings })}\n\`\`\``,
});

/** The first that fits is played. */
export const demoTurns: readonly DemoTurn[] = [
  {
    when: 'Reviewers have looked at the work',
    steps: [
      { say: 'Scripted: the test of the finding is in the tree already. I make it pass.' },
      { write: { file: 'src/cli.js', content: cliCode(' && Number(words[0]) > 0') } },
      { bash: `node --test ${widthFile}` },
      {
        say: 'Scripted: a width that is no number is refused now.\n\n```json\n{"answers": [{"finding": "F1", "answer": "fixed", "reason": "the command refuses it"}]}\n```\n\n<<<PAWL:TASK_DONE NONCE>>> A width has to be a number.',
      },
    ],
  },
  {
    when: 'You review a change',
    without: widthFile,
    steps: [
      { say: 'Scripted: I try what nobody tried, and write a test that fails.' },
      { bash: 'node src/cli.js wrap wide "one two"' },
      report([finding]),
    ],
  },
  {
    when: 'You review a change',
    steps: [{ say: 'Scripted: I read the fix and have nothing to add.' }, report([])],
  },
  {
    when: 'Write `wrap(text, width)` in `src/wrap.js`',
    without: 'src/wrap.js',
    steps: [
      { say: 'Scripted: I write it without looking twice, and say that it is done. It is not.' },
      { write: { file: 'src/wrap.js', content: wrapCode('line.length + word.length <= width') } },
      { say: 'Scripted: wrapping works.\n\n<<<PAWL:TASK_DONE NONCE>>> Text wraps at a width.' },
    ],
  },
  {
    when: 'Write `wrap(text, width)`',
    steps: [
      { say: 'Scripted: the check is right. I forgot the space between two words.' },
      { write: { file: 'src/wrap.js', content: wrapCode('line.length + 1 + word.length <= width') } },
      { bash: 'node --test test/wrap.test.js' },
      { say: 'Scripted: now it works.\n\n<<<PAWL:TASK_DONE NONCE>>> Text wraps at a width, spaces counted.' },
    ],
  },
  {
    when: 'Write `src/cli.js`',
    steps: [
      { say: 'Scripted: the last piece, a command for the function.' },
      { write: { file: 'src/cli.js', content: cliCode('') } },
      { bash: "node src/cli.js wrap 8 'four five six'" },
      { say: 'Scripted: the command works.\n\n<<<PAWL:TASK_DONE NONCE>>> The function has a command.' },
    ],
  },
];

const plan = `# Plan: A small text library

## Overview
A function and a command for it. The tests are there already: each task is done when its test passes.

## Validation Commands
- \`node --test test/lines.test.js\`

### Task 1: Wrapping
- files: src/wrap.js
- check: \`node --test test/wrap.test.js\`
- [ ] Write \`wrap(text, width)\` in \`src/wrap.js\`
- [ ] Never make a line longer than the width

### Task 2: A command
- files: src/cli.js
- depends: 1
- check: \`node --test test/cli.test.js\`
- [ ] Write \`src/cli.js\` with the command \`wrap\`
- [ ] Try it on your own machine (manual)
`;

export const demoPlan = 'docs/plans/text-library.md';

/** By path. */
export const demoFiles: Readonly<Record<string, string>> = {
  [demoPlan]: plan,
  'README.md': '# text-library\n\nA toy, made by `pawl demo`. Nothing in it was written by a model.\n',
  'package.json': '{ "name": "text-library", "version": "1.0.0", "private": true, "type": "module" }\n',
  'src/lines.js': `// Counts the lines of a text.
export function countLines(text) {
  return text === '' ? 0 : text.split('\\n').length;
}
`,
  'test/lines.test.js': `${head}import { countLines } from '../src/lines.js';

test('an empty text has no lines', () => assert.equal(countLines(''), 0));
test('lines are counted', () => assert.equal(countLines('a\\nb'), 2));
`,
  'test/wrap.test.js': `${head}import { wrap } from '../src/wrap.js';

test('short text stays', () => assert.equal(wrap('one two', 20), 'one two'));
test('no line is longer than the width', () => assert.equal(wrap('four five six', 8), 'four\\nfive six'));
`,
  'test/cli.test.js': `${head}import { execFileSync } from 'node:child_process';

const run = (...args) => execFileSync(process.execPath, ['src/cli.js', ...args], { encoding: 'utf8' });

test('wrap', () => assert.equal(run('wrap', '8', 'four five six'), 'four\\nfive six\\n'));
`,
};
