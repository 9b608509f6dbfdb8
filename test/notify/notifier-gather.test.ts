// When messages are sent, and what becomes one: by times that are given in.
import { expect, test } from 'vitest';
import type { Priority } from '../../src/notify/message.ts';
import { afterSending, composeMessage, judgeSending, type LastSent } from '../../src/notify/notifier.ts';
import type { Item } from '../../src/notify/occasion.ts';

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const start = Date.UTC(2026, 10, 22, 22);

function item(priority: Priority, atMs = start, more: Partial<Item> = {}): Item {
  const event = { occasion: 'failed', priority } as const;
  return { key: 'k', atMs, tone: 'info', title: 'T', text: 'x', event, ...more };
}

test.each<readonly [what: string, pending: readonly Item[], last: LastSent, afterMs: number | undefined]>([
  ['nothing', [], {}, undefined],
  ['what comes together, together', [item(5), item(4, start + 2 * second)], {}, 3 * second],
  ['loud after loud, a minute later', [item(5)], { anyMs: start - 10 * second }, 50 * second],
  ['the first quiet one, soon', [item(2)], {}, 3 * second],
  ['the next quiet one, hours later', [item(1)], { anyMs: start - hour, quietMs: start - hour }, 7 * hour],
  ['a quiet one after a loud one, soon', [item(2)], { anyMs: start - hour }, 3 * second],
  [
    'quiet ones, with a loud one',
    [item(2, start - hour), item(5)],
    { anyMs: start - 2 * hour, quietMs: start - 2 * hour },
    3 * second,
  ],
])('%s', (_, pending, last, afterMs) => {
  expect(judgeSending(pending, last)).toBe(afterMs === undefined ? undefined : start + afterMs);
});

test('only a message of quiet items alone puts the next quiet one off', () => {
  expect(afterSending([item(2)], {}, start)).toEqual({ anyMs: start, quietMs: start });
  expect(afterSending([item(2), item(4)], { quietMs: 1 }, start)).toEqual({ anyMs: start, quietMs: 1 });
});

test('the gravest is the headline; its priority and tone are the message’s', () => {
  const about = { run: 'r', title: 'Login', plan: 'login.md', branch: 'login', mode: 'full' };
  const asks = item(5, start + 1, {
    title: 'Task 2 asks you',
    text: 'Which colour?',
    tone: 'warning',
    event: { occasion: 'needs-input', priority: 5, about, command: 'pawl answer 2 "…"' },
  });
  const done = item(1, start, { title: 'Task 1 is done', text: '1 file' });
  expect(composeMessage([done, asks])).toMatchObject({
    title: 'pawl: Task 2 asks you (+1)',
    body: 'Task 2 asks you. Which colour?\n→ pawl answer 2 "…"\n\nTask 1 is done. 1 file\n\nLogin (login.md, branch login)',
    priority: 5,
    tone: 'warning',
  });
  expect(composeMessage([asks])).toMatchObject({
    title: 'pawl: Task 2 asks you',
    body: 'Which colour?\n→ pawl answer 2 "…"\n\nLogin (login.md, branch login)',
  });
});

test('many things are bounded, and how many more there are is said', () => {
  const many = Array.from({ length: 40 }, (_, n) =>
    item(4, start + n, { title: `Task ${n}`, text: 'y'.repeat(5_000) }),
  );
  const { body, title } = composeMessage(many);
  expect(body.length).toBeLessThan(4_000);
  expect(body).toContain('… and 34 more: pawl status');
  expect(title).toBe('pawl: Task 0 (+39)');
});
