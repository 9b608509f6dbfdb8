// One contender of a comparison: its run in a worktree of its own, the shared review of its changes, and what becomes of
// the tree. What keeps one contender from starting stops no other.
import { existsSync } from 'node:fs';
import { Writable } from 'node:stream';
import { defined } from '../../defined.ts';
import { needFailure } from '../../failure.ts';
import { isFinished } from '../../journal/state.ts';
import { type CliContext, formatFailure, printNote } from '../context.ts';
import type { ReviewOptions } from '../prepare-review.ts';
import { runOne } from '../run-one.ts';
import { leaveWorktree } from '../worktree/leave.ts';
import type { Contestant } from './contestant.ts';
import { optionsOf, type SharedOptions } from './preflight.ts';
import type { ComparisonRecord } from './record.ts';
import type { Standing } from './standings.ts';

/** What all contenders have in common. `reviewOne`: reviews what is checked out in the context's folder. */
export type Arena = Readonly<{
  context: CliContext;
  record: ComparisonRecord;
  shared: SharedOptions;
  jobs: number;
  stages: readonly string[];
  /** Of the files that were consented to. */
  trustHash: string | undefined;
  troubles: Map<string, Readonly<{ run?: string; review?: string; exit?: number }>>;
  reviewOne: (context: CliContext, options: ReviewOptions) => Promise<number>;
}>;

/** Runs it to its end, or continues its run. */
export async function runContender(arena: Arena, contestant: Contestant): Promise<void> {
  const { context, record, shared, trustHash, troubles, jobs } = arena;
  const contender = record.contenders.find((each) => each.with === contestant.with);
  if (!contender || context.signal.aborted) return;
  const { fresh: _, ...rest } = optionsOf(shared, contestant);
  const options = { ...rest, branch: contender.branch, ...defined({ trustHash }) };
  printNote(context, `\nContender ${contender.with}, on branch ${contender.branch}`);
  const own = contextOf(context, jobs > 1 ? contestant.label : undefined);
  try {
    await runOne(own, contender.plan, { options, base: record.base, comparison: record.id });
  } catch (error) {
    const failure = needFailure(error);
    own.stderr.write(formatFailure(context, failure));
    const run = failure.message.split('\n', 1)[0] ?? '';
    troubles.set(contender.with, { ...troubles.get(contender.with), run, exit: failure.exit });
  }
}

/** Has this repository's reviewers review its changes; they change nothing. */
export async function reviewContender(arena: Arena, { contender, state }: Standing): Promise<void> {
  const { context, record, stages, shared, trustHash, troubles, reviewOne } = arena;
  if (context.signal.aborted) return;
  const tree = state?.worktree?.path;
  const fail = (review: string, exit?: number) =>
    troubles.set(contender.with, { ...troubles.get(contender.with), review, ...(exit ? { exit } : {}) });
  if (tree === undefined || !existsSync(tree)) return void fail('its working tree is gone');
  if (state?.ended?.difference?.files === 0) return void fail('it changed nothing');
  printNote(context, `\nReview of ${contender.with}`);
  const { sandbox, set, maxCost, maxTokens, maxTime, maxSessions, quiet, verbose } = shared;
  const given = { sandbox, set, maxCost, maxTokens, maxTime, maxSessions, quiet, verbose, trustHash };
  const asked = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  try {
    await reviewOne(
      { ...contextOf(context, undefined), cwd: tree },
      { ...asked, base: record.base, stage: stages, plan: contender.plan, reportOnly: true },
    );
  } catch (error) {
    const failure = needFailure(error);
    context.stderr.write(formatFailure(context, failure));
    fail(failure.message.split('\n', 1)[0] ?? '', failure.exit);
  }
}

/** Removes the trees of finished runs with nothing left in them, once the review is done. */
export async function leaveTrees({ context, stages }: Arena, all: readonly Standing[]): Promise<void> {
  for (const { state, hasReview } of all) {
    if (!state?.worktree || !isFinished(state) || !existsSync(state.worktree.path)) continue;
    if (stages.length === 0 || hasReview || state.ended?.difference?.files === 0)
      await leaveWorktree(context, state.worktree, state);
  }
}

/**
 * What a run shows goes to stderr: stdout is for the comparison. Nobody is asked anything. `name`: put before each line if
 * several run at once.
 */
function contextOf(context: CliContext, name: string | undefined): CliContext {
  const { stderr } = context;
  const shown = name === undefined ? stderr : prefixed(stderr, name);
  return {
    ...context,
    stdout: shown,
    stderr: shown,
    canAsk: false,
    ...(name === undefined ? {} : { isTty: false }),
  };
}

/** Passes lines on to `stream`; an incomplete line is held back until the end. */
function prefixed(stream: Writable, name: string): Writable {
  let rest = '';
  return new Writable({
    decodeStrings: false,
    write(chunk: string | Buffer, _encoding, done) {
      const lines = (rest + String(chunk)).split('\n');
      rest = lines.pop() ?? '';
      stream.write(lines.map((line) => `${name}  ${line}\n`).join(''));
      done();
    },
    final(done) {
      if (rest !== '') stream.write(`${name}  ${rest}\n`);
      done();
    },
  });
}
