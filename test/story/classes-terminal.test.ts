// What went wrong for others on a real terminal, by its number in the list of bug classes. pawl runs below `script`, which
// gives it one; what is typed goes to its keyboard.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Step } from '../../src/demo/script.ts';
import { done, expectNoProcess, honest, letterPlan, makeNight, onTask, untilFile } from '../helpers/night.ts';
import type { Scene } from '../helpers/pawl.ts';
import { Screen } from '../helpers/screen.ts';
import { casts } from '../helpers/story.ts';

const script = '/usr/bin/script';
const main = path.resolve(import.meta.dirname, '../../src/main.ts');

/** pawl on a terminal: what it shows so far, what is typed, and how both were left. */
type Seat = Readonly<{
  type(keys: string): void;
  screen(): string;
  /** Its exit code, and the terminal's settings before and after. */
  ended: Promise<Readonly<{ exit: number; before: string; after: string }>>;
}>;

/** Starts `pawl run` on the scene's plan in a terminal of 100 columns. */
async function sitDown({ repo, home, env }: Scene): Promise<Seat> {
  const file = path.join(home, 'seat.sh');
  const words = [process.execPath, main, 'run', 'docs/plans/plan.md', '--trust'].map((word) => `'${word}'`);
  await writeFile(
    file,
    `trap : INT QUIT\nstty cols 100 rows 30\nstty -a > '${home}/before'\n${words.join(' ')}\nexit=$?\nstty -a > '${home}/after'\nexit $exit\n`,
  );
  const child = spawn(script, ['-qefc', `sh '${file}'`, '/dev/null'], {
    cwd: repo.path,
    env: { ...env, TERM: 'xterm', SHELL: '/bin/sh', NO_COLOR: '' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let shown = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    shown += text;
  });
  const read = (name: string) => readFile(path.join(home, name), 'utf8');
  const ended = new Promise<number>((resolve) => child.on('close', (exit) => resolve(exit ?? -1))).then(
    async (exit) => ({ exit, before: await read('before'), after: await read('after') }),
  );
  return { type: (keys) => child.stdin.write(keys), screen: () => shown, ended };
}

/** What is on the screen at the end, without the status line; a control character that no terminal should get throws. */
function screenAtEnd(shown: string): string {
  const screen = new Screen(100);
  screen.stream.write(shown);
  expect(screen.isAtStart).toBe(true);
  expect(shown).toMatch(statusLine);
  const text = screen.rows.join('\n');
  expect(text).not.toMatch(statusLine);
  return text;
}

const statusLine = /task 1\/\d · /;

/** True wherever something of a terminal can be reached. */
const hasTerminal = '[ -t 0 ] || [ -t 1 ] || [ -t 2 ] || ( : < /dev/tty ) 2>/dev/null';

describe.runIf(existsSync(script)).each(casts)('%s', (cast) => {
  test('neither agent nor check can reach the terminal; what needs one makes its own (4)', async () => {
    const plan = letterPlan('a').replace(
      '- [ ]',
      `- check: \`if ${hasTerminal}; then exit 1; fi\`\n- check: \`${script} -qec 'test -t 0' /dev/null\`\n- [ ]`,
    );
    const work: Step = { bash: `if ${hasTerminal}; then echo tty > a.txt; else echo a > a.txt; fi` };
    await using scene = await makeNight({ cast, plan, turns: [onTask('a', [work, done])] });
    const seat = await sitDown(scene);
    const { exit } = await seat.ended;
    expect(exit, seat.screen()).toBe(0);
    expect(screenAtEnd(seat.screen())).toContain('Task 1 closed, checked: 3 checks green');
  });

  test('Ctrl-C leaves the terminal as it was and the screen whole (6)', async () => {
    const hangs: Step = { bash: 'echo half > half.txt; tail -f /dev/null' };
    await using scene = await makeNight({ cast, turns: [onTask('a', [hangs]), ...honest('b')] });
    const seat = await sitDown(scene);
    await untilFile(scene, 'half.txt');
    seat.type('\x03');
    const { exit, before, after } = await seat.ended;
    expect(exit, seat.screen()).toBe(130);
    expect(after).toBe(before);
    expect(screenAtEnd(seat.screen())).toContain('Run stopped, not finished: interrupted (exit 130)');
    await expectNoProcess(scene);
  });
});

test.runIf(existsSync(script))('a second Ctrl-C, which waits for nothing, does so too (6)', async () => {
  const stubborn: readonly Step[] = [
    { ignore: ['SIGTERM', 'SIGINT'] },
    { bash: 'echo half > half.txt' },
    { silence: true },
  ];
  await using scene = await makeNight({
    env: { PAWL_CLOCKS_INTERRUPT: '10m' },
    turns: [onTask('a', stubborn)],
  });
  const seat = await sitDown(scene);
  await untilFile(scene, 'half.txt');
  seat.type('\x03');
  await expect.poll(seat.screen, { timeout: 20_000 }).toContain('Ctrl-C again ends at once');
  seat.type('\x03');
  const { exit, before, after } = await seat.ended;
  expect(exit, seat.screen()).toBe(130);
  expect(after).toBe(before);
  expect(screenAtEnd(seat.screen())).toContain('Ctrl-C again ends at once');
  await expectNoProcess(scene);
});
