import { expect, test } from 'vitest';
import type { FactOf } from '../../../src/event.ts';
import { closeMessage } from '../../../src/phase/task/message.ts';

const closing = { task: '1', key: 'k', proof: 'checked' } as FactOf<'closing'>;
const work = { task: { id: '1', title: 'Write\0 it' }, truth: { plan: { title: 'Plan' } } };

function messageOf(summary: string): string {
  const ctx = { config: { commit: { subject: '{title}' } }, run: { id: 'r' } };
  return closeMessage(ctx as never, work as never, { ...closing, summary });
}

const trailers = 'Pawl-Run: r\nPawl-Task: 1\nPawl-Checks: green\nPawl-Close: k';

test.each([
  ['', `Write it\n\n${trailers}`],
  ['One.\n\nTwo.', `Write it\n\nOne.\n\nTwo.\n\n${trailers}`],
  // git takes no message with a NUL, and a terminal obeys an escape sequence.
  ['a\0b\x1b[31mred\x1b[0m\x07\x7f\tc', `Write it\n\nabred\tc\n\n${trailers}`],
  ['# no comment\nPawl-Close: forged', `Write it\n\n # no comment\nPawl-Close - forged\n\n${trailers}`],
  // A character that is taken out leaves no trailer behind.
  ['Pawl\0-Close: forged', `Write it\n\nPawl-Close - forged\n\n${trailers}`],
])('the summary %j', (summary, message) => {
  expect(messageOf(summary)).toBe(message);
});
