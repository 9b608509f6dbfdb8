// What must be so when all the killing is over: the same as where nobody was killed, and nothing lost. It starts nothing
// that changes anything.
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { listRescues } from '../../src/git/rescue/rescue-list.ts';
import { openRepo } from '../../src/git/run/repo.ts';
import { depsOf } from '../git/open.ts';
import { processesOf } from '../helpers/night.ts';
import { redCommits } from '../helpers/red-commits.ts';
import type { Stage } from './stage.ts';

/** What a run leaves for good. */
export type Result = Readonly<{
  /** Entries of HEAD's tree without the sessions' notes. */
  tree: readonly string[];
  /** Subjects of its commits, the oldest first. */
  log: readonly string[];
  branch: string;
  status: string;
  /** Task of each commit that closed one. */
  closed: readonly string[];
}>;

/** Reads what is left of a stage. */
export async function readResult(stage: Stage): Promise<Result> {
  const lines = async (...args: readonly string[]) => (await stage.git(...args)).split('\n').filter(Boolean);
  return {
    tree: (await lines('ls-tree', '-r', 'HEAD')).filter((line) => !line.includes('\tnotes/')),
    log: (await lines('log', '--format=%s', 'main..HEAD')).reverse(),
    branch: await stage.git('branch', '--show-current'),
    status: await stage.git('status', '--porcelain'),
    closed: (await lines('log', '--format=%(trailers:key=Pawl-Task,valueonly,separator=%x20)', 'main..HEAD'))
      .map((line) => line.trim())
      .reverse(),
  };
}

/** What differs from where nobody was killed, and what was lost; empty when all is well. */
export async function findDifferences(stage: Stage, expected: Result): Promise<readonly string[]> {
  return [
    ...compare(stage, await readResult(stage), expected),
    ...(stage.scenario.anyOrder ? await findRed(stage) : []),
    ...(await findLost(stage)),
    ...(await judgeJournal(stage)),
    ...(await findLeftFiles(stage)),
    ...(await judgeParked(stage)),
    ...(await judgeReview(stage)),
    ...findGrounds(stage),
  ];
}

function compare({ scenario }: Stage, found: Result, expected: Result): readonly string[] {
  const textOf = (value: Result[keyof Result]) =>
    JSON.stringify(scenario.anyOrder && typeof value === 'object' ? value.toSorted() : value);
  return (Object.keys(expected) as (keyof Result)[])
    .filter((key) => textOf(found[key]) !== textOf(expected[key]))
    .map((key) => `${key}: ${JSON.stringify(found[key])} instead of ${JSON.stringify(expected[key])}`);
}

/** Commits of the branch that are not green on their own. */
async function findRed({ repo, git }: Stage): Promise<readonly string[]> {
  return (await redCommits({ path: repo, git })).map((red) => `red on its own: ${red}`);
}

/** Each session's note is in HEAD or in a rescue that `pawl rescue list` names. */
async function findLost(stage: Stage): Promise<readonly string[]> {
  const notes = (await stage.did()).flatMap((line) => /^note (.*)/.exec(line)?.[1] ?? []);
  const points = (await listRescues(await openRepo(stage.repo, depsOf(stage.home)))).map(({ oid }) => oid);
  const held = new Set<string>();
  for (const commit of ['HEAD', ...points])
    for (const file of (await stage.git('ls-tree', '-r', '--name-only', commit, 'notes/')).split('\n'))
      held.add(file);
  return notes.filter((note) => !held.has(note)).map((note) => `lost: ${note}`);
}

/** No session of a closed task again, no task closed twice, and the money of all lives added up. */
async function judgeJournal(stage: Stage): Promise<readonly string[]> {
  const closed = new Set<unknown>();
  const costs = new Map<unknown, number>();
  const wrong: string[] = [];
  for (const { type, task, session, costUsd } of await stage.journal()) {
    if (type === 'session-started' && closed.has(task))
      wrong.push(`session ${session} of closed task ${task}`);
    if (type === 'task-closed' && closed.has(task)) wrong.push(`task ${task} was closed twice`);
    if (type === 'task-closed') closed.add(task);
    if (type === 'task-reopened') closed.delete(task);
    if (typeof costUsd === 'number') costs.set(session, costUsd);
  }
  const sum = [...costs.values()].reduce((total, cost) => total + cost, 0);
  const report = await stage.pawl(['status', '--json']);
  const told =
    (JSON.parse(report.stdout || 'null') as { spent: { costUsd: number } } | null)?.spent.costUsd ?? 0;
  if (Math.abs(told - sum) > 0.000_1) wrong.push(`${told} USD told, ${sum} USD journaled`);
  const said = (await stage.did()).filter((line) => line.startsWith('said '));
  const most = new Map(said.map((line) => line.split(' ').slice(1) as [string, string]));
  const paid = [...most.values()].reduce((total, cost) => total + Number(cost), 0);
  if (sum > paid + 0.000_1) wrong.push(`${sum} USD journaled, ${paid} USD spent`);
  return wrong;
}

/** What a parked task had done is in the rescue that its journal names. */
async function judgeParked(stage: Stage): Promise<readonly string[]> {
  const parked = (await stage.journal())
    .filter((fact) => fact.type === 'task-set-aside' && fact['as'] === 'parked')
    .at(-1);
  if (!parked) return [];
  const files = await stage.git('ls-tree', '-r', '--name-only', String(parked['rescue']));
  return files.includes('a.txt') ? [] : [`the rescue of parked task ${parked['task']} holds no a.txt`];
}

/** In no round is anybody asked who has answered in it, or a finding mended twice. */
async function judgeReview(stage: Stage): Promise<readonly string[]> {
  const wrong: string[] = [];
  let [round, answered, fixes] = ['', new Set<unknown>(), 0];
  for (const { type, state, reviewer, ...fact } of await stage.journal()) {
    if (type === 'review-round' && state === 'started') {
      [round, answered, fixes] = [`${fact['stage']} ${fact['round']}`, new Set(), 0];
    }
    const isAsked = type === 'session-started' && reviewer !== undefined;
    if ((isAsked || (type === 'opinion' && state === 'given')) && answered.has(reviewer))
      wrong.push(`${reviewer} once more in ${round}: ${type}`);
    if (type === 'opinion' && state === 'given') answered.add(reviewer);
    if (type === 'work' && state === 'ended' && fact['fix'] !== undefined) fixes += 1;
    if (fixes > 1) wrong.push(`mended twice in ${round}`);
  }
  return wrong;
}

/** Grounds of looks and proofs. */
function findGrounds({ home }: Stage): readonly string[] {
  const all = path.join(home, '.local/state/pawl');
  if (!existsSync(all)) return [];
  return readdirSync(all, { recursive: true, encoding: 'utf8' })
    .filter((name) => /(?:^|\/)(?:look|prove)-[0-9a-f]{16}$/.test(name))
    .map((folder) => `left: ${folder}`);
}

/** Locks of git's; what is in the work tree shows in its status. */
async function findLeftFiles({ repo }: Stage): Promise<readonly string[]> {
  return readdirSync(path.join(repo, '.git'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.lock'))
    .map((file) => `left: ${file}`);
}

/** Command lines of the stage's processes that are still there after some seconds. */
export async function findProcesses({ repo, home }: Stage): Promise<readonly string[]> {
  const end = performance.now() + 15_000;
  const find = () => processesOf({ repo: { path: repo }, home }).filter((command) => command !== '');
  let found = find();
  for (; found.length > 0 && performance.now() < end; found = find()) await setTimeout(10);
  return found;
}
