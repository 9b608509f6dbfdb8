// Plays the steps of a composite action as GitHub's runner does: inputs, `env`, `if`, the files a step writes to, outputs.
// Knows the expressions that action.yml uses and no more; `uses` steps are only recorded.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';

/** One step as it stands in the file. */
export type Step = Readonly<{
  id?: string;
  name?: string;
  if?: string;
  run?: string;
  uses?: string;
  env?: Readonly<Record<string, string>>;
  with?: Readonly<Record<string, string | number>>;
  'continue-on-error'?: boolean;
}>;

/** The parts of an action.yml that are played. */
export type Action = Readonly<{
  inputs: Readonly<Record<string, Readonly<{ description: string; default?: string }>>>;
  outputs: Readonly<Record<string, Readonly<{ description: string; value: string }>>>;
  runs: Readonly<{ using: string; steps: readonly Step[] }>;
}>;

/** What is played. `github`: its context. `env`: of the runner. `folder`: where its files go. */
export type Play = Readonly<{
  inputs: Readonly<Record<string, string>>;
  github: Readonly<Record<string, unknown>>;
  /** Of the repository, for the steps of a workflow's job. */
  vars?: Readonly<Record<string, string>>;
  secrets?: Readonly<Record<string, string>>;
  env: Readonly<Record<string, string>>;
  cwd: string;
  folder: string;
}>;

/** What came of it. `log`: what the steps printed; `used`: the actions it would call, with their inputs. */
export type Played = Readonly<{
  ok: boolean;
  ran: readonly string[];
  log: string;
  used: readonly Readonly<{ uses: string; with: Readonly<Record<string, string>> }>[];
  outputs: Readonly<Record<string, string>>;
  summary: string;
}>;

export function readAction(file: string): Action {
  return parse(readFileSync(file, 'utf8')) as Action;
}

/** Plays all steps. */
export function playAction(
  action: Action,
  { inputs: given, github, vars = {}, secrets = {}, env, cwd, folder }: Play,
): Played {
  const unknown = Object.keys(given).filter((name) => !(name in action.inputs));
  if (unknown.length > 0) throw new Error(`unknown inputs: ${unknown.join(', ')}`);
  const steps: Record<string, { outputs: Record<string, string> }> = {};
  const inputs: Record<string, string> = {};
  const context = { inputs, github, vars, secrets, steps };
  for (const [name, { default: text = '' }] of Object.entries(action.inputs))
    inputs[name] = given[name] ?? fill(text, context);
  mkdirSync(folder, { recursive: true });
  const file = (name: string) => path.join(folder, name);
  for (const name of ['env', 'path', 'summary']) writeFileSync(file(name), '');
  const ran: string[] = [];
  const used: Played['used'][number][] = [];
  let [ok, log] = [true, ''];
  for (const [at, step] of action.runs.steps.entries()) {
    const condition = step.if?.replace(/^\$\{\{|\}\}$/g, '') ?? 'success()';
    const isDue = /always\(\)|success\(\)/.test(condition) ? condition : `success() && ${condition}`;
    if (!evaluate(isDue, { ...context, ok })) continue;
    ran.push(step.name ?? step.uses ?? '');
    const fillAll = (all: Step['env'] | Step['with'] = {}) =>
      Object.fromEntries(Object.entries(all).map(([name, text]) => [name, fill(String(text), context)]));
    if (step.uses !== undefined) {
      used.push({ uses: step.uses, with: fillAll(step.with) });
      continue;
    }
    const output = file(`output-${at}`);
    writeFileSync(output, '');
    const added = parseFile(file('env'));
    const paths = readFileSync(file('path'), 'utf8').split('\n').filter(Boolean);
    const ended = spawnSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', step.run ?? ''], {
      cwd,
      encoding: 'utf8',
      env: {
        ...env,
        ...added,
        PATH: [...paths.reverse(), env['PATH']].join(':'),
        GITHUB_ACTIONS: 'true',
        GITHUB_OUTPUT: output,
        GITHUB_ENV: file('env'),
        GITHUB_PATH: file('path'),
        GITHUB_STEP_SUMMARY: file('summary'),
        RUNNER_TEMP: folder,
        ...fillAll(step.env),
      },
    });
    log += ended.stdout + ended.stderr;
    if (step.id !== undefined) steps[step.id] = { outputs: parseFile(output) };
    if (ended.status !== 0 && step['continue-on-error'] !== true) ok = false;
  }
  const outputs = Object.fromEntries(
    Object.entries(action.outputs).map(([name, { value }]) => [name, fill(value, context)]),
  );
  return { ok, ran, log, used, outputs, summary: readFileSync(file('summary'), 'utf8') };
}

/** `name=value` lines, as steps write them. */
function parseFile(file: string): Record<string, string> {
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return Object.fromEntries(lines.map((line) => [line.split('=', 1)[0] ?? '', line.replace(/^[^=]*=/, '')]));
}

type Context = Readonly<Record<'inputs' | 'github' | 'vars' | 'secrets' | 'steps', object>> &
  Readonly<{ ok?: boolean }>;

function fill(text: string, context: Context): string {
  return text.replaceAll(/\$\{\{(.*?)\}\}/g, (_, inner: string) => String(evaluate(inner, context) ?? ''));
}

/** They are JavaScript but for names with a dash, of which what is not there is an empty text. */
function evaluate(text: string, { ok, ...names }: Context): unknown {
  const code = text.replaceAll(
    /\b(inputs|github|vars|secrets|steps)((?:\.[\w-]+)+)/g,
    (_, root, path: string) => {
      const keys = path.split('.').slice(1);
      return `(${root}${keys.map((key) => `?.['${key}']`).join('')} ?? '')`;
    },
  );
  const given = { ...names, always: () => true, success: () => ok === true };
  return new Function(...Object.keys(given), `return ${code}`)(...Object.values(given));
}
