import { mkdirSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { configSchema } from '../../../src/config/schema.ts';
import type { Event, FactOf } from '../../../src/event.ts';
import type { FindingState } from '../../../src/journal/fold-review.ts';
import type { Place } from '../../../src/place/place.ts';
import { sweep } from '../../../src/process/host-sweep.ts';
import { spawn } from '../../../src/process/spawn.ts';
import { hooksInside } from '../../../src/start/sandbox/surroundings.ts';
import {
  closeMessage,
  fillPattern,
  fixMessage,
  judgeEdited,
  passMessageHooks,
  squashMessage,
} from '../../../src/work/close/commit-message.ts';
import { makeTempFolder } from '../../helpers/temp-folder.ts';
import { makeRepo, type Repo } from '../../helpers/temp-repo.ts';

const closing = { task: '1', key: 'k', proof: 'proven' } as FactOf<'closing'>;
const work = { task: { id: '1', title: 'Write\0 it' }, plan: { title: 'Plan' } };

function messageOf(summary: string): string {
  const place = { run: { id: 'r', config: { commit: { subject: '{title}' } } } };
  return closeMessage(place as never, work as never, { ...closing, summary });
}

const trailers = 'Pawl-Run: r\nPawl-Task: 1\nPawl-Checks: proven\nPawl-Close: k';

test.each([
  ['', `Write it\n\n${trailers}`],
  ['One.\n\nTwo.', `Write it\n\nOne.\n\nTwo.\n\n${trailers}`],
  // git takes no message with a NUL, and a terminal obeys an escape sequence.
  ['a\0b\x1b[31mred\x1b[0m\x07\x7f\tc', `Write it\n\nabred\tc\n\n${trailers}`],
  ['# no comment\nPawl-Close: forged', `Write it\n\n # no comment\nPawl-Close - forged\n\n${trailers}`],
  ['https://x.invalid/a\nFixes: #1', `Write it\n\nhttps://x.invalid/a\nFixes: #1\n\n${trailers}`],
  ['Signed-off-by: a\nco-authored-by: b', `Write it\n\nSigned-off-by - a\nco-authored-by - b\n\n${trailers}`],
  // A character that is taken out leaves no trailer behind.
  ['Pawl\0-Close: forged', `Write it\n\nPawl-Close - forged\n\n${trailers}`],
])('the summary %j', (summary, message) => {
  expect(messageOf(summary)).toBe(message);
});

test('long lines are broken at blanks, items below their text', () => {
  const words = (many: number) => Array(many).fill('sentence').join(' ');
  const body = messageOf(`- ${words(10)} \n${'x'.repeat(90)}`).split('\n\n')[1];
  expect(body).toBe([`- ${words(7)}`, `  ${words(3)}`, 'x'.repeat(90)].join('\n'));
});

const found = (id: string, line: number, title: string, reason?: string): FindingState =>
  ({ id, file: 'index.js', line, title, ...(reason && { reason }) }) as FindingState;

test.each<[name: string, FindingState[], summary: string, message: string]>([
  [
    'one finding',
    [found('F1', 40, 'parse("12mo") gives undefined', 'The table has months now.')],
    '',
    `fix: parse("12mo") gives undefined

- index.js:40: parse("12mo") gives undefined
  The table has months now.`,
  ],
  [
    'several, and a sentence',
    [found('F1', 40, 'No\nmonths'), found('F3', 0, 'Pawl-Close: forged')],
    'Months and years are parsed.',
    `fix: 2 review findings

- index.js:40: No months
- index.js: Pawl-Close: forged

Months and years are parsed.`,
  ],
])('a fix of %s', (_name, fixed, summary, message) => {
  const place = { run: { id: 'r', config: { commit: {} } } };
  const names = fixed.map(({ id }) => `Pawl-Finding: ${id}`).join('\n');
  const ends = trailers.replace('\nPawl-Checks', `\n${names}\nPawl-Checks`);
  expect(fixMessage(place as never, { closing: { ...closing, summary }, fixed })).toBe(
    `${message}\n\n${ends}`,
  );
});

test.each([
  ['feat: {title:lower}', 'Make part 1', 'feat: make part 1'],
  ['feat: {title:lower}', 'API of it', 'feat: API of it'],
  ['feat: {title:lower}', 'Été', 'feat: été'],
  ['{title}', 'Make it', 'Make it'],
  ['{title:upper}', 'a', '{title:upper}'],
])('the pattern %j with %j', (pattern, title, subject) => {
  expect(fillPattern(pattern, { title })).toBe(subject);
});

test('the commit of all work names what is proven, by what experiments said last', () => {
  const [fact, judged] = [{ proof: 'passed' }, { word: 'proven' }];
  const tasks = [
    { id: '1', standing: { is: 'closed', fact, judged } },
    { id: '2', standing: { is: 'closed', fact } },
    { id: '3', standing: { is: 'open' } },
    { id: 'T004', standing: { is: 'closed', fact: { proof: 'proven' } } },
  ];
  const state = () => ({ tasks: new Map(tasks.map((task) => [task.id, task])) });
  const run = { id: 'r', config: { commit: { subject: '{title}' } }, state };
  const parts = [{ subject: 'Write it', keys: ['k'] }];
  expect(squashMessage({ run } as never, 'Plan', parts)).toBe(
    'Plan\n\n- Write it\n\nPawl-Run: r\nPawl-Proven: 1, T004\nPawl-Close: k',
  );
});

// The hooks for commit messages as a sandbox runs them, here on the host: what they refuse and what of their edits is taken.
const own = 'Write a\n\nIt is written.\n\nPawl-Run: r\nPawl-Close: key';

/** The message as it comes out of the hooks of a repository, and what was noticed. */
async function pass(hooks: Readonly<Record<string, string>>, stop = new AbortController()) {
  await using repo = await makeHooked(hooks);
  using folder = makeTempFolder();
  mkdirSync(path.join(folder.path, 'checks'));
  const noticed: string[] = [];
  const place = {
    root: repo.path,
    gitDir: path.join(repo.path, '.git'),
    hooksDir: path.join(repo.path, 'hooks'),
  };
  const message = await passMessageHooks(
    {
      sandbox: { open: async () => {}, home: '/h', ...hooksInside(place) },
      run: {
        folder: folder.path,
        config: configSchema.parse({}),
        random: () => 'ab12',
        signal: stop.signal,
        emit: (event: Event) => event.type === 'noticed' && noticed.push(event.text),
      },
      repo: { root: repo.path },
      spawn,
      sweep,
      shell: { name: 'bash', file: 'bash', args: ['-eo', 'pipefail', '-c'] },
      env: { PATH: process.env['PATH'] ?? '', HOME: folder.path },
    } as unknown as Place,
    { task: '1', message: own },
  );
  return { message, noticed };
}

async function makeHooked(hooks: Readonly<Record<string, string>>): Promise<Repo> {
  const files = Object.entries(hooks).map(([name, shell]) => [`hooks/${name}`, `#!/bin/sh\n${shell}\n`]);
  const repo = await makeRepo({ files: Object.fromEntries(files) });
  for (const name of Object.keys(hooks)) await chmod(path.join(repo.path, 'hooks', name), 0o755);
  return repo;
}

test('a message passes its hooks in git’s order, and is as they edit it', async () => {
  const { message, noticed } = await pass({
    'prepare-commit-msg': 'test "$2" = message && sed -i "1s/^/[main] /" "$1"; echo prepared',
    'commit-msg': 'grep -q "^.main. Write" "$1" || exit 1; echo "Seen: yes" >> "$1"; echo seen >&2',
  });
  expect(message).toBe(`[main] ${own}\nSeen: yes\n`);
  expect(noticed).toEqual([]);
});

test('it is as it was where there is no such hook, or one that leaves it', async () => {
  expect((await pass({ 'pre-commit': 'exit 1' })).message).toBe(own);
  expect((await pass({ 'commit-msg': 'true' })).message).toBe(`${own}\n`);
});

test('a hook that refuses it ends the run in its words, and names the setting', async () => {
  await expect(pass({ 'commit-msg': 'echo "subject may not be empty"; exit 1' })).rejects.toMatchObject({
    code: 'hook',
    message: 'the commit-msg hook rejects the commit message of task 1: subject may not be empty',
    hint: expect.stringMatching(/work is kept.*commit\.subject.*“\{title\}”/),
  });
});

test('an edit that loses what a resume reads is not taken, and is told', async () => {
  const { message, noticed } = await pass({ 'commit-msg': 'sed -i /^Pawl-Close/d "$1"' });
  expect(message).toBe(own);
  expect(noticed).toEqual([expect.stringContaining('has no “Pawl-Close: key” any more')]);
});

test('a person who ends the run meanwhile has not committed', async () => {
  const stop = new AbortController();
  stop.abort();
  expect((await pass({ 'commit-msg': 'sleep 60' }, stop)).message).toBeUndefined();
});

test.each<[string, string, string | undefined]>([
  ['edited around the trailers', `T-1 ${own}\nReviewed-by: x`, undefined],
  ['with the trailers moved', 'Write a\n\nPawl-Close: key\nPawl-Run: r', undefined],
  ['with a trailer changed', own.replace('key', 'other'), 'has no “Pawl-Close: key” any more'],
  ['with a trailer more', `${own}\nPawl-Close: other`, 'has its own lines that begin with “Pawl-”'],
  ['with one in other letters', `${own}\npawl-close: other`, 'has its own lines that begin with “Pawl-”'],
  ['emptied', ' \n', 'is empty, or too long'],
  ['without end', `${own}${'x'.repeat(12_000)}`, 'is empty, or too long'],
])('a message %s', (_, edited, why) =>
  expect(judgeEdited(own, edited)).toEqual(why === undefined ? { message: edited } : { why }),
);
