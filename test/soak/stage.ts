// A repository with a plan, an agent and an environment, made once and copied for each life that is to be killed in it.
import { execFile } from 'node:child_process';
import { cpSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { claudeEnvironment } from '../helpers/claude-home.ts';
import { type Ended, type Running, startPawl } from '../helpers/pawl.ts';
import { makeTempFolder } from '../helpers/temp-folder.ts';
import { makeRepo } from '../helpers/temp-repo.ts';
import { type Work, writeAgent } from './agent.ts';

const run = promisify(execFile);

/** What is done in the repository: its plan, how the agent works, and the command that is given again and again. */
export type Scenario = Readonly<{
  name: string;
  plan: string;
  work: Work;
  env?: Readonly<Record<string, string>>;
  /** Commands that are given before those that are killed, each to its end. */
  before?: readonly (readonly string[])[];
  /** The command that is killed; default: run. */
  command?: readonly string[];
  /** Its exit code when nothing kills it; default 0. */
  exit?: number;
  /** More of the repository's script. */
  more?: string;
  /** Effects it is killed at, by their names; default all. */
  only?: RegExp;
  /** Tasks may land in any order, and each commit of the branch is green on its own. */
  anyOrder?: true;
  /** True of a fact of the journal after which there is nothing more to do; default: the end of a finished run. */
  isLast?: (fact: Readonly<Record<string, unknown>>) => boolean;
}>;

/** One copy of the scenario's repository. */
export type Stage = AsyncDisposable &
  Readonly<{
    scenario: Scenario;
    repo: string;
    home: string;
    /** Starts pawl with the given words and more environment. */
    start(args: readonly string[], more?: Readonly<Record<string, string>>): Running;
    /** The same, to its end. */
    pawl(args: readonly string[], more?: Readonly<Record<string, string>>): Promise<Ended>;
    git(...args: readonly string[]): Promise<string>;
    /** What the agent noted. */
    did(): Promise<readonly string[]>;
    /** The newest run's journal, parsed. */
    journal(): Promise<readonly Record<string, unknown>[]>;
  }>;

/** Makes copies of one scenario. */
export type Theatre = Disposable & Readonly<{ copy(): Promise<Stage> }>;

/** The command that starts or resumes the run. */
export const runCommand: readonly string[] = ['run', 'docs/plans/plan.md', '--json', '--trust'];

/** Prepares a scenario: its repository with one commit, and the commands before. */
export async function openTheatre(scenario: Scenario): Promise<Theatre> {
  const top = makeTempFolder();
  const folder = top.path;
  const { plan, more = '' } = scenario;
  const repo = await makeRepo({ plan, more, files: { '.gitignore': '*.log\n' } });
  cpSync(repo.path, path.join(folder, 'repo'), { recursive: true });
  await repo[Symbol.asyncDispose]();
  let copies = 0;
  const copy = async (): Promise<Stage> => {
    copies += 1;
    const place = path.join(folder, String(copies));
    await mkdir(path.join(place, 'home'), { recursive: true });
    cpSync(path.join(folder, 'repo'), path.join(place, 'repo'), { recursive: true });
    const stage = await openStage(scenario, place);
    for (const args of scenario.before ?? []) await stage.pawl(args);
    return stage;
  };
  return { ...top, copy };
}

async function openStage(scenario: Scenario, place: string): Promise<Stage> {
  const [repo, home] = [path.join(place, 'repo'), path.join(place, 'home')];
  const env = {
    ...claudeEnvironment({ home, apiUrl: 'http://127.0.0.1:9', auth: 'key' }),
    ...quick,
    PAWL_AGENT_CLAUDE_COMMAND: await writeAgent(place, scenario.work),
    ...scenario.env,
  };
  const start: Stage['start'] = (args, more) => startPawl(args, { cwd: repo, env: { ...env, ...more } });
  return {
    scenario,
    repo,
    home,
    start,
    pawl: (args, more) => start(args, more).ended,
    git: async (...args) => (await run('git', args, { cwd: repo, env })).stdout.trimEnd(),
    did: async () => (await readFile(path.join(place, 'did'), 'utf8')).split('\n').filter(Boolean),
    journal: () => readNewest(repo),
    [Symbol.asyncDispose]: () => rm(place, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 }),
  };
}

/** Any number of lives, none of them waiting for anything. */
const quick: Readonly<Record<string, string>> = {
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
  NO_COLOR: '1',
  PAWL_BASELINE: 'skip',
  PAWL_ARCHIVE: 'true',
  PAWL_REVIEW_STAGES: 'none',
  PAWL_TASK_ATTEMPTS: '1000',
  FIXED_CUT_OFFS: '10000',
  PAWL_BUDGETS_MAX_SESSIONS: '10000',
  FIXED_BACKOFF_MS: '1000',
};

async function readNewest(repo: string): Promise<readonly Record<string, unknown>[]> {
  const runs = path.join(repo, '.git/pawl/runs');
  const [run] = (await readdir(runs).catch(() => [])).sort().reverse();
  if (run === undefined) return [];
  const text = await readFile(path.join(runs, run, 'journal.ndjson'), 'utf8').catch(() => '');
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}

/** A file for names, in the stage's folder and outside of its repository. */
export async function makeList(stage: Stage, name: string): Promise<string> {
  const file = path.join(path.dirname(stage.repo), name);
  await writeFile(file, '');
  return file;
}
