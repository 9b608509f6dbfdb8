// `--start-at` and `--start-after-reset`: holds the working tree until the time comes. If stopped before, nothing in the
// repository has changed.

import { parseMoment } from '../config/moment.ts';
import type { Config } from '../config/schema.ts';
import type { ControlCommand, ControlReply } from '../control/request.ts';
import { readRequest } from '../control/request.ts';
import { listenAt } from '../control/socket.ts';
import { Disposal } from '../disposal.ts';
import { Failure } from '../failure.ts';
import { acquireLock } from '../journal/lock.ts';
import { sleep } from '../process/clock.ts';
import { awakeCommand, keepAwake } from '../process/keep-awake.ts';
import { formatMoment, formatMs, formatTime } from '../report/text/figure.ts';
import { line } from '../report/text/line.ts';
import { limitsOfRuns, sleepUntil } from '../work/wait/wait.ts';
import { findReset } from '../work/wait/wait-plan.ts';
import { type CliContext, printNote } from './context.ts';
import { placeSocket } from './listen-for-commands.ts';
import { createReporters } from './reporters.ts';
import { listenToKeys, type Steered } from './run-keys.ts';
import type { RunOptions } from './run-options.ts';

/** What is to be started, and where. */
export type Start = Readonly<{
  /** Names of the plans, relative to the repository's root or absolute. */
  plans: readonly string[];
  gitDir: string;
  commonDir: string;
  config: Config;
  /** Who pays, as recorded at a run's start: usage windows belong to a bill. */
  billing: string;
  /** For programs that pawl starts. */
  env: Readonly<Record<string, string>>;
  options: RunOptions;
}>;

/** When a person wants the start. */
export type StartWish = Readonly<{ at: Date } | { after: 'reset' }>;

/**
 * What the options say, parsed before anything takes time; undefined: at once. A time that is invalid or past throws
 * Failure('usage').
 */
export function readStartWish(
  context: CliContext,
  { startAt, startAfterReset }: RunOptions,
): StartWish | undefined {
  if (startAt === undefined) return startAfterReset ? { after: 'reset' } : undefined;
  const moment = parseMoment(startAt, context.now());
  if ('at' in moment) return moment;
  throw new Failure('usage', `--start-at: “${startAt}” ${moment.mistake}`, {
    hint: 'Use a time of day, 02:00, or a date and time, 2026-01-03T02:00; in this machine’s time zone unless it names another (Z, +01:00).',
  });
}

/**
 * Waits until the time has come, and returns the lock of the working tree, held since the beginning. If interrupted, throws
 * the interruption.
 */
export async function awaitStart(
  context: CliContext,
  wish: StartWish,
  start: Start,
): Promise<Disposable | undefined> {
  const until = findStart(context, wish, start);
  if (until === undefined) return undefined;
  using kept = new Disposal();
  const socket = placeSocket(context, start.gitDir);
  const name = start.plans.join(', ');
  const announced = { at: new Date(until).toISOString(), plans: [...start.plans] };
  kept.use(acquireLock(start.gitDir, name, context.now(), { socket, start: announced }));
  await wait(context, { ...start, name, until, socket });
  if (context.signal.aborted) {
    printNote(context, 'The start was cancelled; nothing was started or changed.');
    throw context.signal.reason;
  }
  return kept.move();
}

type Wait = Start & Readonly<{ name: string; until: number; socket: string | undefined }>;

async function wait(context: CliContext, { name, until, socket, options, ...start }: Wait): Promise<void> {
  const nowMs = () => context.now().getTime();
  const wakingMs = until - nowMs();
  using stack = new Disposal();
  const command = start.config.keepAwake ? awakeCommand(context.platform, context.env['PATH']) : undefined;
  stack.use(keepAwake(command, start.env));
  const { all, screen } = createReporters(context, { ...options, commonDir: start.commonDir });
  stack.defer(() => all.close());
  const told = (text: string) => (screen ? screen.print([line('plain', text)]) : printNote(context, text));
  const waking = new AbortController();
  const take = (asked: ControlCommand) =>
    answerBefore(context, asked, { until, begin: () => waking.abort() });
  const answer = (text: string) => {
    const asked = readRequest(text, name);
    return 'ok' in asked ? asked : take(asked);
  };
  await using _control =
    socket === undefined ? undefined : await listenAt(socket, answer).catch(() => undefined);
  told(
    `All is checked; ${name} starts ${formatMoment(until)}, in ${formatMs(Math.max(0, wakingMs))}. Nothing starts before that.`,
  );
  screen?.expect(until);
  const steered = { take, isPaused: () => false, says: keysBefore };
  stack.use(listenToKeys(context, steered, { screen, hasKeys: true })).tell();
  const world = { signal: context.signal, now: context.now, sleep, wake: () => waking.signal };
  await sleepUntil({ run: world }, { until, wakingMs }, () => waking.signal.aborted);
  screen?.expect(undefined);
  if (context.signal.aborted) return;
  const lateMs = nowMs() - until;
  told(`Starting now${lateMs > lateFromMs ? `, ${formatMs(lateMs)} late: the machine was not awake` : ''}.`);
}

/** A start this late is explained, milliseconds. */
const lateFromMs = 60_000;

const keysBefore: Steered['says'] = {
  keys: line('dim', 'Keys: r start now · q cancel · ? help'),
  help: [
    line('head', 'Keys'),
    line('plain', 'r   start now        q   cancel the start', 1),
    line('plain', 'Ctrl-C cancels it · Ctrl-Z suspends pawl', 1),
    line('dim', 'from any other terminal: pawl continue, stop', 1),
  ],
};

/** What a person can request before anything has begun: to begin now, or not at all. */
function answerBefore(
  context: CliContext,
  command: ControlCommand,
  { until, begin }: Readonly<{ until: number; begin: () => void }>,
): ControlReply {
  switch (command.do) {
    case 'continue':
      begin();
      return { ok: true, text: 'it starts now' };
    case 'stop':
      context.interrupt();
      return { ok: true, text: 'the start was cancelled; nothing was started' };
    case 'pause':
    case 'steer':
    case 'skip':
    case 'retry':
    case 'answer':
    case 'set-budget': {
      const at = formatTime(until, context.now().getTime());
      const hint = '`pawl continue` (key r) starts it now, `pawl stop` (key q) cancels it.';
      return { ok: false, error: `the run has not started yet; it starts at ${at}`, hint };
    }
  }
}

/** Epoch milliseconds; undefined: at once. */
function findStart(context: CliContext, wish: StartWish, start: Start): number | undefined {
  if ('at' in wish) return wish.at.getTime();
  const { limits } = start.config;
  const now = context.now().getTime();
  const reset = findReset(limitsOfRuns(start.commonDir, start.billing), { now, limits });
  if ('until' in reset) {
    const jitter = Number.parseInt(context.random(1), 16) / 255;
    return reset.until + Math.round(jitter * Math.min(30_000, limits.backoff));
  }
  const why =
    reset.none === undefined
      ? 'no run here has seen a usage window'
      : `the last reset that is known, ${formatMoment(reset.none)}, ${reset.none > now ? 'is later than limits.maxWait and its window is not used up' : 'has passed'}`;
  printNote(context, `--start-after-reset: ${why}; starting at once.`);
  return undefined;
}
