// pawl's own time per task: all that passes between two closes but the agent's and the checks' own.
import { spawnSync } from 'node:child_process';
import { spawn } from '../../src/process/spawn.ts';
import type { BuiltPawl } from '../helpers/built-pawl.ts';
import { factsOf } from '../helpers/pawl.ts';
import { type AgentLife, makeLeanAgent } from './lean-agent.ts';
import { formatNumber, formatSpread, formatTable, type Size, spreadOf } from './measure.ts';
import { makePlace, runTimed, type TimedRun } from './timed-run.ts';

const sizes = { whole: { tasks: 20, files: [500, 5_000] }, smallest: { tasks: 2, files: [10] } };

/** Runs a plan of trivial tasks on a small and a larger repository. */
export async function measureTasks(pawl: BuiltPawl, size: Size): Promise<string> {
  const tables: string[] = [];
  for (const files of sizes[size].files) {
    const floor = {
      shellMs: await startTime(['-eo', 'pipefail', '-c', 'true']),
      agentMs: await startTime(['-c', 'true']),
      gitMs: gitTime(),
    };
    const { run, laps } = await runLaps(pawl, { tasks: sizes[size].tasks, files });
    tables.push(
      formatTable(`Own time per task, ${files} files, ${laps.length} tasks, ms`, rowsOf(laps, run, floor)),
    );
    const own = await runLaps(pawl, { tasks: sizes[size].tasks, files, args: ['--worktree'] });
    tables.push(
      formatTable(`From close to close less the agent, here and in an own ground, ${files} files, ms`, [
        ...inBoth(laps, own.laps),
      ]),
    );
  }
  return tables.join('\n');
}

async function runLaps(
  pawl: BuiltPawl,
  { tasks, files, args = [] }: Readonly<{ tasks: number; files: number; args?: readonly string[] }>,
): Promise<Readonly<{ run: TimedRun; laps: readonly Lap[] }>> {
  using agent = makeLeanAgent();
  await using place = await makePlace({ plan: planOf(tasks), agent: agent.command, files });
  const run = await runTimed(pawl.command, place, args);
  return { run, laps: lapsOf(run, agent.lives()) };
}

/** The first task, the last, and all, with what an own ground costs as a ratio. */
function inBoth(here: readonly Lap[], own: readonly Lap[]): readonly (readonly string[])[] {
  const ms = (laps: readonly Lap[]) => laps.map(({ whole, agent }) => whole - agent);
  const [a, b] = [ms(here), ms(own)];
  const row = (name: string, of: (all: readonly number[]) => number) => [
    name,
    `${formatNumber(of(a))} here, ${formatNumber(of(b))} own`,
    `${formatNumber(of(b) / of(a))} times`,
  ];
  return [
    row('the first', ([first = Number.NaN]) => first),
    row('the last', (all) => all.at(-1) ?? Number.NaN),
    row('median', (all) => spreadOf(all).median),
  ];
}

/** A plan of tasks whose checks are true at once. */
export function planOf(count: number): string {
  const sections = Array.from({ length: count }, (_, at) => {
    return `### Task ${at + 1}: Do part ${at + 1}\n- check: \`true\`\n- [ ] Do what part ${at + 1} needs\n`;
  });
  return `# Plan: Many parts\n\n## Overview\nEach part is done.\n\n${sections.join('\n')}`;
}

/** One task from the close before it to its own, and the agent's part of it; ms. */
type Lap = Readonly<{ whole: number; agent: number }>;

/** The laps of a run; agents and closes are in the same order. */
function lapsOf(run: TimedRun, lives: readonly AgentLife[]): readonly Lap[] {
  const at = (fact: { at: string } | undefined) => Date.parse(fact?.at ?? '');
  let fromMs = at(factsOf(run, 'phase').find(({ phase }) => phase === 'tasks'));
  return factsOf(run, 'task-closed').map((closed, index) => {
    const { beganMs = Number.NaN, saidMs = Number.NaN } = lives[index] ?? {};
    const lap = { whole: at(closed) - fromMs, agent: saidMs - beganMs };
    fromMs = at(closed);
    return lap;
  });
}

function rowsOf(
  laps: readonly Lap[],
  run: TimedRun,
  { shellMs, gitMs, agentMs }: Readonly<{ shellMs: number; gitMs: number; agentMs: number }>,
): readonly (readonly string[])[] {
  const checks = factsOf(run, 'check-ended').length / laps.length;
  const own = laps.map((lap) => lap.whole - lap.agent - agentMs - checks * shellMs);
  const cpu = (ms: number) => formatNumber(ms / laps.length);
  return [
    [
      'own time',
      formatSpread(spreadOf(own)),
      'aim ≤ 250; whole less the agent, its start, and the shells of the checks',
    ],
    [
      '',
      formatNumber(spreadOf(own).median / gitMs),
      'times a git, a figure that a busy machine changes less',
    ],
    ['whole', formatSpread(spreadOf(laps.map(({ whole }) => whole))), 'from close to close'],
    [
      'a shell',
      formatNumber(shellMs),
      `start and end of \`bash -c true\` as pawl starts it, now; ${formatNumber(checks)} checks per task`,
    ],
    ['an agent', formatNumber(agentMs), 'start and end of a script as pawl starts it, now'],
    [
      'a git',
      formatNumber(gitMs),
      'start and end of `git version` now; how many per task tells the figure `counts`',
    ],
    ['processor', cpu(run.ownCpuMs), 'pawl’s own per task, with its start and end'],
    ['', cpu(run.childCpuMs), 'git, agents and checks per task'],
  ];
}

/** What a bash costs from its start, as pawl starts a check and an agent, to its end; median ms. */
async function startTime(args: readonly string[]): Promise<number> {
  const env = { PATH: process.env['PATH'] ?? '' };
  const times: number[] = [];
  for (let count = 0; count < 30; count += 1) {
    const since = performance.now();
    const program = spawn({ file: 'bash', args, cwd: '/', env, input: 'closed' });
    await program.ended;
    times.push(performance.now() - since);
  }
  return spreadOf(times).median;
}

/** What starting and ending `git version` costs on this machine at this moment, median ms. */
export function gitTime(): number {
  const times = Array.from({ length: 30 }, () => {
    const since = performance.now();
    spawnSync('git', ['version'], { stdio: 'ignore' });
    return performance.now() - since;
  });
  return spreadOf(times).median;
}
