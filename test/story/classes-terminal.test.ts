// Failures known from other tools of this kind, on a real terminal.
import { expect, test } from 'vitest';
import type { Step } from '../fixtures/agents/scripted/script.ts';
import { done, letterPlan, onTask } from '../helpers/letters.ts';
import { has, script } from '../helpers/needs.ts';
import { expectNoProcess, makeNight, untilFile } from '../helpers/night.ts';
import { screenAtEnd, shows, sitDown, statusRule } from '../helpers/seat.ts';
import { share } from '../helpers/share.ts';

/** True wherever something of a terminal can be reached. */
const hasTerminal = '[ -t 0 ] || [ -t 1 ] || [ -t 2 ] || ( : < /dev/tty ) 2>/dev/null';

test.runIf(has('terminals (script)'))(
  'neither agent nor check can reach the terminal; what needs one makes its own (4)',
  async () => {
    const plan = letterPlan('a').replace(
      '- [ ]',
      `- check: \`if ${hasTerminal}; then exit 1; fi\`\n- check: \`${script} -qec 'test -t 0' /dev/null\`\n- [ ]`,
    );
    const work: Step = { bash: `if ${hasTerminal}; then echo tty > a.txt; else echo a > a.txt; fi` };
    await using scene = await makeNight({ cast: 'claude', plan, turns: [onTask('a', [work, done])] });
    using seat = await sitDown(scene);
    const { exit } = await seat.ended;
    expect(exit, seat.screen()).toBe(0);
    expect(screenAtEnd(seat.screen())).toContain('✓ Task 1 closed, proven: 3 checks green');
  },
);

// Keys that stop a run: keys.test.ts.
test.runIf(has('terminals (script)')).each(
  share(
    [
      ['a second Ctrl-C, which waits for nothing, leaves', 600_000, 'Ctrl-C again ends pawl at once'],
      [
        'Ctrl-C, which ends an agent that ignores signals, leaves',
        500,
        'Run stopped: interrupted (exit 130)',
      ],
    ],
    2,
  ),
)('%s the terminal as it was and the screen whole (5, 6)', async (_, interruptMs, last) => {
  const stubborn: readonly Step[] = [
    { ignore: ['SIGTERM', 'SIGINT'] },
    { bash: 'echo half > half.txt' },
    { silence: true },
  ];
  await using scene = await makeNight({
    env: { SHORT_CLOCKS_MS: JSON.stringify({ interruptMs, termMs: 500 }) },
    turns: [onTask('a', stubborn)],
  });
  using seat = await sitDown(scene);
  await untilFile(scene, 'half.txt');
  await shows(seat, statusRule);
  seat.type('\x03');
  await shows(seat, 'Ctrl-C again ends pawl at once');
  // Sooner it would be an echo of the first.
  if (interruptMs > 500) setTimeout(() => seat.type('\x03'), 400);
  const { exit, before, after } = await seat.ended;
  expect(exit, seat.screen()).toBe(130);
  expect(after).toBe(before);
  expect(screenAtEnd(seat.screen())).toContain(last);
  await expectNoProcess(scene);
});
