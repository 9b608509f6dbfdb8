// Runs a forge's program (gh 2.0 or later, glab 1.30 or later), never interactively, with the person's login, which
// pawl does not read.
import type { z } from 'zod';
import { effect } from '../effect.ts';
import { Failure, needFailure } from '../failure.ts';
import { parseJson } from '../parse-json.ts';
import { sweep } from '../process/host-sweep.ts';
import { type ProgramEnd, runProgram } from '../process/run-program.ts';
import { spawn } from '../process/spawn.ts';
import type { ForgeAddress } from './forge.ts';

/** `env`: the person's own. */
export type ForgeTools = Readonly<{
  cwd: string;
  env: Readonly<Record<string, string>>;
  signal: AbortSignal;
  /** Absent: found by the remotes in `cwd`. */
  address?: ForgeAddress | undefined;
}>;

export type ForgeCall = Readonly<{
  method?: 'GET' | 'POST' | 'PATCH' | 'PUT';
  /** What changes on the forge, if anything. */
  does?: string;
  /** Below the repository's, with what is put into it encoded; `elsewhere`: in the whole API. */
  path: string;
  elsewhere?: true;
  body?: Readonly<Record<string, unknown>>;
  /** Bytes of the answer's end; default: all, up to 32 MB. */
  tailBytes?: number;
}>;

type ForgeProgram = 'gh' | 'glab';

const remedies: Readonly<Record<ForgeProgram, string>> = {
  gh: 'Install it (https://cli.github.com) and run `gh auth login`',
  glab: 'Install it (https://gitlab.com/gitlab-org/cli) and run `glab auth login`',
};

const answerMs = 60_000;
const mostBytes = 32 * 1024 * 1024;

/** A bad end is a value. */
export function runForgeProgram(
  file: string,
  args: readonly string[],
  { cwd, env, signal }: ForgeTools,
  { stdin, tailBytes }: Readonly<{ stdin?: string; tailBytes?: number }> = {},
): Promise<ProgramEnd> {
  const quiet = { GH_PROMPT_DISABLED: '1', NO_PROMPT: '1', NO_COLOR: '1', GLAB_CHECK_UPDATE: 'false' };
  const kept =
    tailBytes === undefined ? { keepBytes: mostBytes } : { keepBytes: 0, keepTailBytes: tailBytes };
  return runProgram(
    { spawn, sweep },
    { file, args, cwd, signal, stdin, timeoutMs: answerMs, env: { ...env, ...quiet }, ...kept },
  );
}

export type ForgeApi = Readonly<{
  tools: ForgeTools;
  text(call: ForgeCall): Promise<string>;
  json(call: ForgeCall): Promise<unknown>;
  /** All entries; `schema`: of a page of 100. */
  pages<T>(path: string, schema: z.ZodType<readonly T[]>): Promise<readonly T[]>;
}>;

/** `base`: the repository's path in the API. */
export function createApi(
  file: ForgeProgram,
  given: ForgeTools,
  base: (path: string | undefined) => string,
): ForgeApi {
  // The program resolves an ssh alias, and then fills in the repository.
  const address = given.address?.host.includes('.') ? given.address : undefined;
  const tools = { ...given, address };
  const root = base(address?.path);
  const text = (call: ForgeCall) => callForge(file, tools, call.elsewhere ? call : at(call));
  const at = (call: ForgeCall) => ({ ...call, path: `${root}${call.path}` });
  const json = async (call: ForgeCall) => {
    const value = parseJson(await text(call));
    if (value !== undefined) return value;
    throw new Failure('environment', `${file} answered something else than JSON to ${call.path}`);
  };
  return {
    tools,
    text,
    json,
    pages: async (path, schema) => {
      const all = [];
      for (let page = 1; page <= mostPages; page += 1) {
        const paged = `${path}${path.includes('?') ? '&' : '?'}per_page=100&page=${page}`;
        const found = schema.parse(await json({ path: paged }));
        all.push(...found);
        if (found.length < 100) break;
      }
      return all;
    },
  };
}

async function callForge(file: ForgeProgram, tools: ForgeTools, call: ForgeCall): Promise<string> {
  const { method = 'GET', does, path, body, tailBytes } = call;
  const host = tools.address?.host;
  const args = [
    ...['api', '--method', method, path],
    ...(host === undefined ? [] : ['--hostname', host]),
    ...(body === undefined ? [] : ['--header', 'Content-Type: application/json', '--input', '-']),
  ];
  const input = body === undefined ? {} : { stdin: JSON.stringify(body) };
  const run = () => runForgeProgram(file, args, tools, { ...input, ...(tailBytes ? { tailBytes } : {}) });
  const end = await (does === undefined ? run() : effect('forge', does, run));
  tools.signal.throwIfAborted();
  if (end.ended.code === 0) return end.stdout.text;
  throw failureOf(file, end);
}

const mostPages = 20;

function failureOf(file: ForgeProgram, end: ProgramEnd): Failure {
  const said = whyNot(end);
  const hint = `${remedies[file]}.`;
  if (end.ended.startError !== undefined)
    return new Failure('preflight', `${file} is needed for this, and is not in PATH`, { hint });
  // gh exits 4 without a login; glab says so, or that it knows no such host.
  if (end.ended.code === 4 || /\(?HTTP 401\)?|401 Unauthorized|point to a known GitLab host/.test(said))
    return new Failure('preflight', `${file} is not logged in for this repository: ${firstLine(said)}`, {
      hint,
    });
  return new Failure('environment', `${file} failed: ${firstLine(said)}`);
}

/** Whoever is unknown there may nothing. Anything else might be asked again: it tells nothing of whom was asked about. */
export function unlessUnknown(error: unknown): undefined {
  const { message } = needFailure(error);
  if (!/\(HTTP 40[34]\)/.test(message) || /rate limit/i.test(message)) throw error;
}

export function whyNot({ timedOut, ended, stderr, stdout }: ProgramEnd): string {
  if (timedOut) return 'it did not answer within a minute';
  const said = stderr.text.trim() || stdout.text.trim() || ended.startError?.message;
  return said ?? `exit ${ended.code ?? ended.signal}`;
}

const firstLine = (text: string) => text.trim().split('\n')[0] ?? '';
