// Commits exactly one tree with the user's hooks, and tells which hook refused.
import { randomBytes } from 'node:crypto';
import { lstatSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { defined } from '../../defined.ts';
import { makeFolder, removeFile } from '../../disk.ts';
import { Failure, needFailure } from '../../failure.ts';
import { orElse } from '../../or-else.ts';
import { parseJson } from '../../parse-json.ts';
import type { ProgramEnd } from '../../process/run-program.ts';
import type { Mark } from '../../process/sweep.ts';
import { commitHooks } from '../protect/protected-files.ts';
import { readHeadCommit } from '../protect/snapshot.ts';
import { judgeParent, moveHead } from '../run/head.ts';
import type { Repo } from '../run/repo.ts';
import { setIndex } from '../tree/index-file.ts';
import { type ChangedFile, changeFlags, parseChanges } from '../tree/raw-diff.ts';

export type CommitOptions = Readonly<{
  tree: string;
  /** What HEAD must be; otherwise Failure('history'). */
  parent: string;
  message: string;
  /** Marks hooks and what they start, which is ended afterwards. */
  mark: Mark;
}>;

/** `tree` differs from the requested one if a hook changed it. */
export type Committed = Readonly<{ oid: string; tree: string; files: readonly ChangedFile[] }>;

/** `hook`: the user's that said no, which is evidence of `pre-commit`'s. Absent: signing, the identity, or the clock. */
export type CommitRejected = Readonly<{ output: string; hook?: string }>;

export type Commit = Committed | CommitRejected;

/** Afterwards the index is that tree, or the parent's after a rejection; the work tree stays. */
export async function commitTree(repo: Repo, options: CommitOptions): Promise<Commit> {
  const moved = judgeParent(await readHeadCommit(repo), options.parent);
  if (moved) throw moved;
  await setIndex(repo, options.tree);
  const { ended, hook } = await runUntilSigned(repo, options);
  // If HEAD moved, the commit exists whatever the exit code: a later hook failed.
  if (ended.ended.code !== 0 && (await readHeadCommit(repo)) === options.parent) {
    await setIndex(repo, options.parent);
    const output = ended.timedOut
      ? `${ended.output.text}\nthe commit took too long and was ended`
      : ended.output.text;
    return { output, ...defined({ hook }) };
  }
  return verifyCommit(repo, options);
}

/** A signing program that is busy may answer the next time. */
async function runUntilSigned(repo: Repo, options: CommitOptions): ReturnType<typeof runCommit> {
  for (let tries = 1; ; tries += 1) {
    const made = await runCommit(repo, options);
    const mayBeSigning = made.ended.ended.code !== 0 && !made.ended.timedOut && made.hook === undefined;
    if (tries === 3 || !mayBeSigning || (await signing(repo)).length === 0) return made;
    if ((await readHeadCommit(repo)) !== options.parent) return made;
    await delay(500);
  }
}

/** As `git commit` would. */
export async function signing(repo: Repo): Promise<readonly string[]> {
  const signed = await repo.git(['config', '--type=bool', '--get', 'commit.gpgSign'], { okCodes: [0, 1] });
  return signed.trim() === 'true' ? ['-S'] : [];
}

const signMs = 30_000;

/** Throws a Failure where commits are to be signed and are not, as by a key that waits for its passphrase. */
export async function trySigning(repo: Repo): Promise<void> {
  const sign = await signing(repo);
  if (sign.length === 0) return;
  try {
    const args = ['commit-tree', ...sign, '-m', 'to try the signature', 'HEAD^{tree}'];
    await repo.write('try to sign', args, { clockMs: signMs });
  } catch (error) {
    throw new Failure('hook', `git cannot sign commits here: ${needFailure(error).message}`, {
      hint: 'Unlock the key for as long as the run lasts, or: git config commit.gpgsign false',
    });
  }
}

/** Takes branch and index back from pawl's commit at HEAD, and returns the ref that keeps it; the work tree stays. */
export async function uncommit(
  repo: Repo,
  commit: Readonly<{ run: string; oid: string; parent: string }>,
): Promise<string> {
  const { run, oid: from, parent: to } = commit;
  const kept = await moveHead(repo, 'take a commit back', { run, folder: 'absorbed', from, to });
  await setIndex(repo, to);
  return kept;
}

async function runCommit(repo: Repo, options: CommitOptions) {
  const how = ['--no-edit', '--no-status', '--cleanup=whitespace', '--allow-empty'];
  const args = ['commit', '-q', '-F', '-', ...how];
  if (!repo.runsHooks || listHooks(repo).length === 0) {
    const ended = await repo.hooked('commit', args, { input: options.message, env: {} });
    return { ended, hook: undefined };
  }
  const folder = path.join(repo.commonDir, 'pawl');
  makeFolder(folder);
  const trace = path.join(folder, `commit-${process.pid}-${randomBytes(4).toString('hex')}.trace`);
  try {
    const ended: ProgramEnd = await repo.hooked('commit', args, {
      input: options.message,
      env: { GIT_TRACE2_EVENT: trace, GIT_TRACE2_EVENT_BRIEF: '1', GIT_TRACE2_EVENT_NESTING: '1' },
      mark: options.mark,
    });
    return { ended, hook: findFailedHook(orElse(() => readFileSync(trace, 'utf8'), '')) };
  } finally {
    removeFile(trace);
  }
}

/** A hook that changed parent or trailers made the commit useless for resuming. */
async function verifyCommit(repo: Repo, options: CommitOptions): Promise<Committed> {
  const format = '--format=%H%n%T%n%P%n%B';
  const shown = await repo.bytes(['diff-tree', '--always', format, ...changeFlags, 'HEAD']);
  // A NUL ends the message; nothing follows if nothing changed.
  const [end, list] = [shown.indexOf(0), shown.indexOf(':', shown.indexOf(0))];
  const [oid = '', tree = '', parents = '', ...body] = shown.toString('utf8', 0, end).split('\n');
  if (parents !== options.parent)
    throw new Failure('history', `HEAD moved while pawl committed: ${oid.slice(0, 12)} is not its commit`, {
      hint: 'A hook or another program commits on this branch too: stop it, and run the same command again.',
    });
  const lines = new Set(body.map((line) => line.trim()));
  const lost = trailersOf(options.message).filter((trailer) => !lines.has(trailer));
  if (lost.length > 0) {
    await repo.write('commit back', ['update-ref', 'HEAD', options.parent, oid]);
    await setIndex(repo, options.parent);
    throw new Failure(
      'hook',
      `a hook removed "${lost[0]}" from pawl's commit message; the commit was undone`,
      { hint: 'Let the prepare-commit-msg and commit-msg hooks keep lines that begin with "Pawl-".' },
    );
  }
  if (tree !== options.tree) await setIndex(repo, oid);
  return { oid, tree, files: list < 0 ? [] : parseChanges(shown.subarray(list)) };
}

function trailersOf(message: string): readonly string[] {
  return message
    .split('\n')
    .filter((line) => line.startsWith('Pawl-'))
    .map((line) => line.trim());
}

export function listHooks({ hooksDir }: Pick<Repo, 'hooksDir'>): readonly string[] {
  return commitHooks.filter((name) => lstatSync(path.join(hooksDir, name), { throwIfNoEntry: false }));
}

/** By GIT_TRACE2_EVENT lines (git 2.22 and later), not the exit code. Commands that hooks ran have another `sid`. */
export function findFailedHook(trace: string): string | undefined {
  const hooks = new Map<number, string>();
  for (const line of trace.split('\n')) {
    const event = parseJson(line) as Partial<TraceEvent> | undefined;
    if (event?.child_id === undefined || event.sid?.includes('/') !== false) continue;
    if (event.hook_name !== undefined) hooks.set(event.child_id, event.hook_name);
    const hook = hooks.get(event.child_id);
    if (event.event === 'child_exit' && event.code !== 0 && hook !== undefined) return hook;
  }
  return undefined;
}

type TraceEvent = Readonly<{ event: string; sid: string; child_id: number; hook_name: string; code: number }>;
