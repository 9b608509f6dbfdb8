import { expect, test } from 'vitest';
import type { FactOf } from '../../../src/event.ts';
import type { FindingState } from '../../../src/journal/fold-review.ts';
import {
  closeMessage,
  fillPattern,
  fixMessage,
  squashMessage,
} from '../../../src/work/close/commit-message.ts';

const closing = { task: '1', key: 'k', proof: 'proven' } as FactOf<'closing'>;
const work = { task: { id: '1', title: 'Write\0 it' }, planSnapshot: { plan: { title: 'Plan' } } };

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
  [
    'https://example.invalid/a\nfile:///srv/x\nFixes: #1\nNote: b',
    `Write it\n\nhttps://example.invalid/a\nfile:///srv/x\nFixes: #1\nNote: b\n\n${trailers}`,
  ],
  ['Signed-off-by: a\nco-authored-by: b', `Write it\n\nSigned-off-by - a\nco-authored-by - b\n\n${trailers}`],
  // A character that is taken out leaves no trailer behind.
  ['Pawl\0-Close: forged', `Write it\n\nPawl-Close - forged\n\n${trailers}`],
])('the summary %j', (summary, message) => {
  expect(messageOf(summary)).toBe(message);
});

test('long lines are broken at blanks, items below their text', () => {
  const word = 'sentence';
  const body = messageOf(`- ${`${word} `.repeat(10)}\n${'x'.repeat(90)}`).split('\n\n')[1];
  expect(body).toBe(
    [`- ${Array(7).fill(word).join(' ')}`, `  ${Array(3).fill(word).join(' ')}`, 'x'.repeat(90)].join('\n'),
  );
});

const found = (id: string, line: number, title: string, reason?: string): FindingState =>
  ({ id, finding: { file: 'index.js', line, title }, ...(reason && { reason }) }) as FindingState;

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
  const [closed, judged] = [{ proof: 'passed' }, { word: 'proven' }];
  const tasks = [
    { id: '1', standing: 'closed', closed, judged },
    { id: '2', standing: 'closed', closed },
    { id: '3', standing: 'open', closed, judged },
    { id: 'T004', standing: 'closed', closed: { proof: 'proven' } },
  ];
  const state = () => ({ tasks: new Map(tasks.map((task) => [task.id, task])) });
  const run = { id: 'r', config: { commit: { subject: '{title}' } }, state };
  const parts = [{ subject: 'Write it', keys: ['k'] }];
  expect(squashMessage({ run } as never, 'Plan', parts)).toBe(
    'Plan\n\n- Write it\n\nPawl-Run: r\nPawl-Proven: 1, T004\nPawl-Close: k',
  );
});
