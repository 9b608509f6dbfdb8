// A plan of 1,000 tasks: reading it, picking from it, folding its journal, and working some tasks from its middle.
import type { Fact, Stamped } from '../../src/event.ts';
import { foldRun } from '../../src/journal/fold.ts';
import { lintPlan } from '../../src/plan/lint.ts';
import { parsePlan } from '../../src/plan/parse.ts';
import { pickTask } from '../../src/plan/plan.ts';
import type { BuiltPawl } from '../helpers/built-pawl.ts';
import { makeLeanAgent } from './lean-agent.ts';
import { formatNumber, formatSpread, formatTable, repeat, type Size, spreadOf, timeOf } from './measure.ts';
import { lapsOf, planOf } from './task-time.ts';
import { factsOf, makePlace, runTimed, type TimedRun } from './timed-run.ts';

const sizes = {
  whole: { tasks: 1_000, worked: 20, times: 7 },
  smallest: { tasks: 10, worked: 2, times: 1 },
};

/** Measures the plan's handling and the work in its middle. */
export async function measureLargePlan(pawl: BuiltPawl, size: Size): Promise<string> {
  const { tasks, worked, times } = sizes[size];
  const text = planOf(tasks, tasks / 2);
  const plan = parsePlan(text, 'plan.md');
  const lint = { strict: false, hasConfigChecks: false };
  await using agent = await makeLeanAgent();
  await using place = await makePlace({ plan: text, agent: agent.command, files: 500 });
  const run = await runTimed(pawl.command, place, ['--max-tasks', String(worked)]);
  const lives = await agent.lives();
  const facts = lengthen(run.facts, tasks / worked);
  const resumed = await runTimed(pawl.command, place, ['--max-tasks', '1']);
  const resumedLife = (await agent.lives()).at(-1);
  const row = async (name: string, act: (at: number) => unknown) => [
    name,
    formatSpread(spreadOf(await repeat(times, (at) => timeOf(() => act(at))))),
  ];
  const whole = lapsOf(run, lives).map((lap) => lap.whole);
  return formatTable(`A plan of ${tasks} tasks, ${formatNumber(text.length / 1e3)} kB, ms, ${times} times`, [
    // Each time another text: pawl remembers the last ones.
    await row('parse', (at) => parsePlan(`${text}\n<!-- ${at} -->\n`, 'plan.md')),
    await row('lint', () => lintPlan(plan, lint)),
    await row('pick', () => pickTask(plan)),
    [...(await row('fold', () => foldRun(facts))), `${facts.length} facts, as of a run of all tasks`],
    [
      'journal',
      formatNumber(bytesOf(run.facts) / 1e3),
      `kB after ${factsOf(run, 'task-closed').length} tasks`,
    ],
    ['a task', formatSpread(spreadOf(whole)), 'from close to close, agent and checks too'],
    ['first spawn', formatNumber((lives[0]?.beganMs ?? Number.NaN) - run.startedMs), 'of the new run'],
    [
      'resume',
      formatNumber((resumedLife?.beganMs ?? Number.NaN) - resumed.startedMs),
      'up to the next spawn',
    ],
    ['peak, MB', formatNumber(run.peakMb), 'resident'],
  ]);
}

/** The facts of a run with its worked tasks' facts so many times. */
function lengthen(facts: readonly Stamped<Fact>[], times: number): readonly Stamped<Fact>[] {
  const first = facts.findIndex(({ type }) => type === 'task-started');
  const last = facts.findLastIndex(({ type }) => type === 'task-closed');
  const head = facts.slice(0, first);
  const body = facts.slice(first, last + 1);
  const copies = Array.from({ length: Math.ceil(times) }, () => body);
  return [...head, ...copies.flat()];
}

function bytesOf(facts: TimedRun['facts']): number {
  return facts.reduce((sum, fact) => sum + JSON.stringify(fact).length + 1, 0);
}
