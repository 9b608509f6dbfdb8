// pawl itself in a test: a repository, a home and an agent (scripted, or the real CLI on the scripted model), and
// `pawl …` started as a user would start it. What it did is read from its events, from git and from files.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'vitest';
import type { Fact, FactName, FactOf, Stamped } from '../../src/event.ts';
import type { Turn } from '../fixtures/agents/scripted/script.ts';
import { type AcpCast, acpCasts, makeAcpHome } from './acp-home.ts';
import { builtFile, isShortened } from './built-pawl.ts';
import { claudeEnvironment, claudePath } from './claude-home.ts';
import { makeCodexHome } from './codex-home.ts';
import { ofType } from './facts.ts';
import { type Model, startModel } from './messages-api.ts';
import { type OpenModel, startOpenModel } from './open-model.ts';
import { makeAgent } from './script.ts';
import { makeTempFolder } from './temp-folder.ts';
import { makeRepo, type Repo, type RepoContent } from './temp-repo.ts';

/** Which agent plays the turns. */
export type Cast = 'scripted' | 'claude' | 'codex' | AcpCast;

export type SceneOptions = RepoContent &
  Readonly<{
    /** What the model does, or that of a repository at this path. */
    turns: readonly Turn[] | ((root: string) => readonly Turn[]);
    cast?: Cast;
    /** Another agent that settings can name: scripted turns for `claude`, the real CLI on the scripted model for others. */
    beside?: Readonly<{ cast: Exclude<Cast, 'claude'>; turns: readonly Turn[] }>;
    auth?: 'key' | 'oauth';
    /** False: those who may change nothing can write all the same, as where there is no bubblewrap. Default: as on this machine. */
    readOnly?: false;
    /** Laid over the environment; settings as PAWL_…. */
    env?: Readonly<Record<string, string>>;
    /** Words before pawl's own, given the folder it starts in, e.g. those of another mount namespace. */
    enter?: (cwd: string) => readonly string[];
  }>;

/** How one start of pawl ended. */
export type Ended = Readonly<{
  exit: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
  events: readonly Stamped<Fact>[];
}>;

/** pawl at work: its events as they come, and its end. */
export type Running = Readonly<{
  child: ChildProcess;
  ended: Promise<Ended>;
  /** The first fact of the type that fits, as soon as it is there; rejects when pawl ends without one. */
  until<T extends FactName>(type: T, fits?: (fact: FactOf<T>) => boolean): Promise<Stamped<FactOf<T>>>;
}>;

/** A repository in which pawl can be started. */
export type Scene = AsyncDisposable &
  Readonly<{
    repo: Repo;
    home: string;
    env: Record<string, string>;
    model: Model | undefined;
    /** The model of another CLI than Claude Code. */
    openModel: OpenModel | undefined;
    /** Replaces the turns of the scripted agent, or of the model of Claude Code. */
    rewrite(turns: readonly Turn[]): Promise<void>;
    /** `pawl …` to its end. */
    pawl(...args: string[]): Promise<Ended>;
    /** `pawl run <plan> --json --trust …` to its end. */
    run(...args: string[]): Promise<Ended>;
    start(...args: string[]): Running;
    startRun(...args: string[]): Running;
  }>;

/** Makes a scene; all of it goes at the end of its scope. */
export async function makeScene(options: SceneOptions): Promise<Scene> {
  const stack = new AsyncDisposableStack();
  const repo = stack.use(await makeRepo(options));
  const home = stack.use(makeTempFolder());
  const turns = typeof options.turns === 'function' ? options.turns(repo.path) : options.turns;
  const { cast = 'scripted', beside } = options;
  const parts = [{ cast, turns }, ...(beside ? [beside] : [])];
  const real = cast === 'claude';
  const model = real ? stack.use(await startModel({ turns })) : undefined;
  const open = parts.find((part) => part.cast !== 'scripted' && part.cast !== 'claude');
  const openModel = open ? stack.use(await startOpenModel({ turns: open.turns })) : undefined;
  const acp = acpCasts.find((name) => name === open?.cast);
  const codex = openModel && open?.cast === 'codex' && stack.use(await makeCodexHome(`${openModel.url}/v1`));
  const scripted = parts.find((part) => part.cast === 'scripted');
  const agent = scripted ? stack.use(await makeAgent(scripted.turns)) : undefined;
  const env: Record<string, string> = {
    ...claudeEnvironment({
      home: home.path,
      apiUrl: model?.url ?? 'http://127.0.0.1:9',
      auth: options.auth ?? 'key',
    }),
    // Sockets of killed runs go with the home.
    XDG_RUNTIME_DIR: path.join(home.path, 'run'),
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_NOSYSTEM: '1',
    NO_COLOR: '1',
    // Only a story about reviews has one; an empty variable leaves it to the repository's settings.
    PAWL_REVIEW_STAGES: 'none',
    // Only a story about planners has one.
    PAWL_REPLAN: 'never',
    // Only a story about the end's fresh checkout has one.
    PAWL_VERIFY: 'off',
    // Only a story about proof makes experiments.
    PAWL_PROVE: 'off',
    PAWL_AGENT_CLAUDE_COMMAND: agent?.command ?? claudePath,
    ...(codex ? { ...codex.login, PAWL_AGENT_CODEX_COMMAND: codex.program } : {}),
    ...(acp && openModel && (await makeAcpHome(acp, { home: home.path, apiUrl: openModel.url }))),
    ...(cast === 'scripted' || real ? {} : { PAWL_AGENT_NAME: cast }),
    ...options.env,
  };
  // A bubblewrap that can do nothing.
  if (options.readOnly === false) await putPrograms(env, path.join(home.path, 'broken'), { bwrap: 'exit 1' });
  const before = options.enter?.(repo.path) ?? [];
  const start = (...args: string[]) => {
    const running = startPawl(args, { cwd: repo.path, env, before });
    // One that a failed test leaves behind; what it has started ends with it.
    stack.defer(async () => {
      running.child.kill('SIGKILL');
      await running.ended;
    });
    return running;
  };
  const startRun = (...args: string[]) =>
    start('run', repo.plan ?? 'docs/plans/plan.md', '--json', '--trust', ...args);
  return {
    repo,
    home: home.path,
    env,
    model,
    openModel,
    rewrite: async (turns) => {
      model?.rewrite(turns);
      await agent?.rewrite(turns);
    },
    start,
    startRun,
    pawl: (...args) => start(...args).ended,
    run: (...args) => startRun(...args).ended,
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

/** Pawl as a program in PATH: its text. */
export const pawlProgram = () => `exec '${process.execPath}' '${builtFile('main')}' "$@"`;

/** Puts programs, each of a piece of shell, first in the PATH of an environment. */
export async function putPrograms(
  env: Record<string, string>,
  folder: string,
  programs: Readonly<Record<string, string>>,
): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const [name, shell] of Object.entries(programs))
    await writeFile(path.join(folder, name), `#!/bin/sh\n${shell}\n`, { mode: 0o755 });
  env['PATH'] = `${folder}:${env['PATH'] ?? process.env['PATH']}`;
}

/** Has a piece of shell stand for the agent, whose own command it is given. */
export async function wrapAgent({ env, home }: Scene, shell: (agent: string) => string): Promise<void> {
  const file = path.join(home, 'wrapped');
  const agent = `'${env['PAWL_AGENT_CLAUDE_COMMAND']}' "$@"`;
  await writeFile(file, `#!/bin/sh\n${shell(agent)}\n`, { mode: 0o755 });
  env['PAWL_AGENT_CLAUDE_COMMAND'] = file;
}

/** The facts of one type, in order. */
export function factsOf<T extends FactName>(
  ended: Pick<Ended, 'events'>,
  type: T,
): readonly Stamped<FactOf<T>>[] {
  return ofType(ended.events, type);
}

/** The tasks that a run set aside in a way, in order. */
export function asidesOf(
  ended: Pick<Ended, 'events'>,
  wanted: FactOf<'task-set-aside'>['as'],
): readonly Stamped<FactOf<'task-set-aside'>>[] {
  return factsOf(ended, 'task-set-aside').filter(({ as }) => as === wanted);
}

/** All output of a run, for a failed expectation. */
export function tell(ended: Ended): string {
  return `exit ${ended.exit} ${ended.signal ?? ''}\n${ended.stderr}\n${ended.stdout.slice(-6_000)}`;
}

/** How it ended, which must be by this exit code, or this signal. */
export async function expectExit(code: number | NodeJS.Signals, ending: Promise<Ended>): Promise<Ended> {
  const ended = await ending;
  expect(ended.signal ?? ended.exit, tell(ended)).toBe(code);
  return ended;
}

/** Where pawl is started, and the words before its own. */
export type Place = Readonly<{
  cwd: string;
  env: Readonly<Record<string, string>>;
  before?: readonly string[];
  /** The Node it runs on; default that of TEST_NODE, else the tests' own. */
  node?: string;
}>;

/** The oldest Node that package.json names, which `npm test` installs. */
export const oldestNode = path.join(import.meta.dirname, '..', '.agents', 'oldest-node');

const usualNode = process.env['TEST_NODE'] ?? process.execPath;

/** Starts `pawl …` anywhere. */
export function startPawl(
  args: readonly string[],
  { cwd, env, before = [], node = usualNode }: Place,
): Running {
  const clocks = isShortened(env) ? [`--import=${builtFile('short-clocks')}`] : [];
  const [file = '', ...words] = [...before, node, ...clocks, builtFile('main'), ...args];
  const child = spawn(file, words, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const events: Stamped<Fact>[] = [];
  const waiting = new Set<() => void>();
  let [stdout, stderr, rest] = ['', '', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    const lines = (rest + text).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line.startsWith('{"')) events.push(JSON.parse(line));
    for (const look of waiting) look();
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const ended = new Promise<Ended>((resolve) => {
    child.on('close', (exit, signal) => resolve({ exit, signal, stdout, stderr, events }));
  });
  const until: Running['until'] = (type, fits = () => true) =>
    new Promise((resolve, reject) => {
      const look = () => {
        const found = factsOf({ events }, type).find((fact) => fits(fact));
        if (!found) return;
        waiting.delete(look);
        resolve(found);
      };
      waiting.add(look);
      look();
      void ended.then(() =>
        reject(new Error(`pawl ended without ${type}\n${stderr}\n${stdout.slice(-4000)}`)),
      );
    });
  return { child, ended, until };
}
