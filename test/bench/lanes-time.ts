// What lanes are worth, as ratios within one run: independent tasks one by one and side by side. Seconds here are the agent's
// replies; what pawl adds shows in how far the ratios fall short.
import { existsSync } from 'node:fs';
import type { BuiltPawl } from '../helpers/built-pawl.ts';
import { claudePath } from '../helpers/claude-home.ts';
import { done, letterPlan, onTask, write } from '../helpers/letters.ts';
import { type Cast, type Ended, factsOf, makeScene } from '../helpers/pawl.ts';
import { formatNumber, formatTable, type Size } from './measure.ts';

const sizes = {
  whole: { tasks: 10, few: 3, jobs: 4, replyMs: 5_000, longMs: 30_000 },
  smallest: { tasks: 2, few: 1, jobs: 2, replyMs: 100, longMs: 100 },
};

type Timed = Readonly<{ ended: Ended; ms: number }>;

/** Runs ten tasks one by one, in four lanes with the real CLI, and in ten lanes with long replies. */
export async function measureLanes(_pawl: BuiltPawl, size: Size): Promise<string> {
  const { tasks, few, jobs, replyMs, longMs } = sizes[size];
  const cast: Cast = existsSync(claudePath) ? 'claude' : 'scripted';
  const timeOf = (args: readonly string[], count = tasks) => timeRun({ tasks: count, cast, replyMs }, args);
  // Beside each other, so that a machine that slows down slows both.
  const one = await timeOf([]);
  const many = await timeOf(['--jobs', String(jobs)]);
  const unnamed = await timeOf([], few);
  const named = await timeOf(['--jobs', '1'], few);
  const all = await timeRun({ tasks, cast: 'scripted', replyMs: longMs }, ['--jobs', String(tasks)]);
  const ratio = (a: number, b: number) => formatNumber(a / b);
  const checks = ({ ended }: Timed) => factsOf(ended, 'check-ended').length;
  // Those of tasks that landed since are asked beside the plan's and the task's own.
  const own = ({ ended }: Timed) =>
    factsOf(ended, 'check-ended').filter(
      ({ check, task }) => !check.startsWith('task:') || check.startsWith(`task:${task}:`),
    ).length;
  return formatTable(`Lanes, ${tasks} independent tasks, ${cast} at ${replyMs / 1000} s a reply`, [
    [`--jobs ${jobs} to one by one`, ratio(many.ms, one.ms), 'of the time'],
    ['', ratio(own(many), own(one)), 'times the checks of plan and task'],
    ['', ratio(checks(many), checks(one)), 'times the checks, with those of what landed since'],
    ['--jobs 1 to no word of jobs', ratio(named.ms, unnamed.ms), `of the time, ${few} tasks`],
    [
      `--jobs ${tasks}, scripted at ${longMs / 1000} s a reply`,
      ratio(tasks * longMs, all.ms),
      'times as fast as the replies in a row',
    ],
  ]);
}

async function timeRun(
  { tasks, cast, replyMs }: Readonly<{ tasks: number; cast: Cast; replyMs: number }>,
  args: readonly string[],
): Promise<Timed> {
  const letters = Array.from({ length: tasks }, (_, at) => `l${at}`);
  const plan = letterPlan(...letters).replaceAll('- check', '- depends: none\n- check');
  await using scene = await makeScene({
    plan: plan.replace('## Overview', '## Checks\n- `sh check.sh`\n\n## Overview'),
    files: { 'check.sh': 'test ! -e bad.txt\n' },
    turns: letters.map((letter) => onTask(letter, [{ think: replyMs }, write(letter), done])),
    cast,
    env: { PAWL_ARCHIVE: 'false' },
  });
  const since = performance.now();
  const ended = await scene.run(...args);
  const ms = performance.now() - since;
  if (ended.exit !== 0) throw new Error(`pawl run ended with ${ended.exit}\n${ended.stderr}`);
  return { ended, ms };
}
