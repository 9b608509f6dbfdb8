// Takes a prepared run to its end: reporter, control, keys, minder, receipt, and who it is handed to. What is run is ../run.ts.
import path from 'node:path';
import type { PlanningAsked } from '../event/dialogue.ts';
import { pickExit } from '../failure.ts';
import { ownLock } from '../git/give-index.ts';
import { inRun } from '../journal/folder.ts';
import { maskSecrets } from '../journal/mask.ts';
import type { RunState } from '../journal/state.ts';
import type { RunEnd } from '../phase/finish.ts';
import { openRun } from '../phase/open/open-run.ts';
import type { OpenRequest } from '../phase/open/request.ts';
import type { Person } from '../phase/planning/person.ts';
import { takeCommand } from '../phase/steer/take-command.ts';
import type { Context, RunOptions as PhaseOptions } from '../place/context.ts';
import { awakeCommand, keepAwake } from '../process/keep-awake.ts';
import { type Minder, startMinder } from '../process/minder.ts';
import { receiptLines, writeReceipt } from '../report/receipt/receipt.ts';
import { recallGround, recallSpending } from '../report/terminal/resume-summary.ts';
import type { Terminal } from '../report/terminal/terminal.ts';
import { line } from '../report/text/line.ts';
import { run } from '../run.ts';
import { type CliContext, say } from './context.ts';
import { listenForCommands, placeSocket } from './control.ts';
import { prepareHandOn } from './hand-on.ts';
import { keysOfRun, type Listening, listenToKeys, type Steered } from './keys.ts';
import type { Prepared } from './prepare-run.ts';
import { receiptExtra } from './report.ts';
import { createReporter } from './reporter.ts';
import type { RunOptions } from './run-options.ts';
import type { Sandboxed } from './sandbox/open.ts';

/** How it ended. */
export type Ended = Readonly<{ exit: number; state: RunState }>;

/** `onOpen`: called when the run holds its working tree. */
type DriveOptions = Readonly<{
  options: RunOptions;
  queue?: NonNullable<PhaseOptions['queue']>;
  onOpen?: () => void;
  /** It is a dialogue about a plan: who answers, spoken with beside the reporter. */
  planning?: Readonly<{ asked: PlanningAsked; makePerson: (reporter: Terminal) => Person }>;
}>;

/** Ending a session takes seconds; without a word a person would press again, which leaves it to the next start. */
const stopping = line('warn', 'Stopping: the session is ended, its work stays. Ctrl-C again ends at once.');

/** Opens what was prepared, shows what happens, takes it to its end, and hands it on. */
export async function driveRun(
  context: CliContext,
  prepared: Pick<Prepared, 'request' | 'notices'> & Readonly<{ release(): void }>,
  { options, queue, onOpen, planning }: DriveOptions,
): Promise<Ended> {
  for (const notice of prepared.notices) say(context, notice);
  const { repo } = prepared.request.base;
  // A dialogue may go on beside a run of its tree.
  const socket = placeSocket(context, planning ? path.join(repo.gitDir, String(process.pid)) : repo.gitDir);
  const reporter = createReporter(context, { ...options, commonDir: repo.commonDir, root: repo.root });
  const tellStop = () => reporter.print([stopping]);
  let keys: Listening | undefined;
  context.signal.addEventListener('abort', tellStop, { once: true });
  try {
    const phaseOptions = {
      ...prepared.request.options,
      ...(queue ? { queue } : {}),
      ...(planning ? { planning: { asked: planning.asked, person: planning.makePerson(reporter) } } : {}),
    };
    const request = { ...prepared.request, options: phaseOptions };
    using handOn = await prepareHandOn(context, request, options);
    prepared.release();
    using opened = await openRun({
      ...request,
      socket,
      show: (event) => {
        // All before the first phase is the run's header.
        if (event.type === 'phase-started') keys?.tell();
        reporter.take(event);
      },
      // A program reads the journal's past elsewhere; a person wants to see what goes on.
      greet: (past) => (options.json ? undefined : recallTo(reporter, past, request.about)),
      mask: maskSecrets(context.env),
    });
    onOpen?.();
    await using inSandbox = await maybeInSandbox(context, opened.ctx);
    const { ctx } = inSandbox;
    using _awake = stayAwake(context, opened.ctx);
    await using _control = await listenForCommands(context, ctx, socket);
    // Where a person answers questions, the keys are theirs.
    const isQuiet = planning !== undefined || (options.json ?? false);
    using listening = listenToKeys(context, steeredOf(context, ctx), { reporter, json: isQuiet });
    keys = listening;
    const minder = await watchOver(ctx);
    try {
      const end = await run(ctx, (state) => writeReceipt(state, receiptExtra(state, false)));
      context.signal.removeEventListener('abort', tellStop);
      tellReceipt(context, ctx, { reporter, end });
      return { exit: pickExit([end.exit, await handOn(ctx)]), state: ctx.state() };
    } finally {
      await minder.close();
    }
  } finally {
    context.signal.removeEventListener('abort', tellStop);
    reporter.close();
    await repo.close();
  }
}

/** What a run that is taken up again was when it stopped. */
function recallTo(reporter: Terminal, past: RunState, about: OpenRequest['about']): void {
  for (const fact of recallGround(past, about)) reporter.take(fact);
  for (const fact of recallSpending(past)) reporter.recall(fact);
}

function stayAwake({ platform, env }: CliContext, ctx: Context): Disposable {
  return keepAwake(ctx.config.keepAwake ? awakeCommand(platform, env['PATH']) : undefined, ctx.env);
}

function tellReceipt(
  context: CliContext,
  ctx: Context,
  { reporter, end }: Readonly<{ reporter: Terminal; end: RunEnd }>,
): void {
  const state = ctx.state();
  reporter.print(receiptLines(state, { ...receiptExtra(state, false), endTold: true }));
  if (end.unwritten) say(context, `The report was not written: ${end.unwritten.message}`);
}

/** The run's context in its sandbox, if it has one. Only then is that loaded: what speaks to the network takes 25 ms [ran]. */
async function maybeInSandbox(context: CliContext, ctx: Context): Promise<Sandboxed> {
  if (ctx.config.sandbox.kind === 'none') return { ctx, [Symbol.asyncDispose]: () => Promise.resolve() };
  const { sandboxed } = await import('./sandbox/open.ts');
  return sandboxed(context, ctx);
}

/** The run as its keys steer it. */
function steeredOf(context: CliContext, ctx: Context): Steered {
  const { interrupt } = context;
  return {
    take: (command) => takeCommand(ctx, command, { interrupt }),
    isPaused: () => ctx.state().pause !== undefined,
    says: keysOfRun,
  };
}

/** Starts the run's minder; what a former life of the run had left running is ended by it, and named. */
async function watchOver(ctx: Context): Promise<Minder> {
  const minder = await startMinder(ctx.run.folder, {
    lock: ownLock(ctx.repo),
    notes: { gitDir: ctx.repo.gitDir, file: path.join(ctx.run.folder, inRun.swept) },
    onExit: ({ again }) => {
      const text = again
        ? 'the minder ended and was started again'
        : 'the minder ended, and no other could be started';
      ctx.emit({ type: 'noticed', code: 'minder', text });
    },
  });
  const processes = minder.leftovers.map(({ pid, command }) => ({ pid, command }));
  if (processes.length > 0) ctx.emit({ type: 'leftovers-ended', processes });
  return minder;
}
