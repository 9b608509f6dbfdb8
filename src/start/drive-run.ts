// Drives a prepared run to its end: reporters, control socket, keys, watchdog, receipt, publishing. ../run.ts is the run
// itself.
import path from 'node:path';
import { defined } from '../defined.ts';
import type { PlanningAsked } from '../event/dialogue.ts';
import type { Event } from '../event.ts';
import { pickExit } from '../failure.ts';
import { inRun } from '../journal/folder.ts';
import { maskSecrets } from '../journal/mask.ts';
import type { RunState } from '../journal/state.ts';
import type { OpenRequest } from '../phase/open/open-request.ts';
import { openRun } from '../phase/open/open-run.ts';
import { applyCommand } from '../phase/steer/apply-command.ts';
import type { Person } from '../place/person.ts';
import type { Place } from '../place/place.ts';
import type { RunOptions as PhaseOptions } from '../place/run.ts';
import { awakeCommand, keepAwake } from '../process/keep-awake.ts';
import { type RunWatchdog, startRunWatchdog } from '../process/run-watchdog.ts';
import { writeReceipt } from '../report/receipt/receipt.ts';
import { groundOfResume, spendingOfResume } from '../report/terminal/resume-summary.ts';
import type { Terminal } from '../report/terminal/terminal.ts';
import { line } from '../report/text/line.ts';
import { run } from '../run.ts';
import { writeFileAtomic } from '../write-file.ts';
import { prepareCarry } from './carry/prepare-carry.ts';
import { type CliContext, printNote } from './context.ts';
import { listenForCommands, placeSocket } from './control.ts';
import { createElsewhere } from './elsewhere.ts';
import { rememberRepository } from './known-repositories.ts';
import type { Prepared } from './prepare-run.ts';
import { preparePublish, receiptExtra } from './publish.ts';
import { createReporters, type Reporters } from './reporters.ts';
import { isForPerson, keysOfRun, type Listening, listenToKeys, type Steered } from './run-keys.ts';
import type { RunOptions } from './run-options.ts';
import type { Sandboxed } from './sandbox/open.ts';
import { startUpdateNotice } from './update-notice.ts';

/** How it ended. */
export type Ended = Readonly<{ exit: number; state: RunState }>;

/** `onOpen`: called when the run holds its working tree. */
type DriveOptions = Readonly<{
  options: RunOptions;
  queue?: NonNullable<PhaseOptions['queue']>;
  onOpen?: () => void;
  /** It is a dialogue about a plan: who answers, spoken with on the screen. */
  planning?: Readonly<{ asked: PlanningAsked; makePerson: (screen: Terminal | undefined) => Person }>;
}>;

/** Ending a session takes seconds; without a word a person would press again, which leaves it to the next start. */
const stopping = line(
  'warn',
  'Stopping: what is at work is ended, its work stays. Ctrl-C again ends at once.',
);

/** Opens what was prepared, shows what happens, takes it to its end, and hands it on. */
export async function driveRun(
  context: CliContext,
  prepared: Pick<Prepared, 'request' | 'notices'> & Readonly<{ release(): void }>,
  { options, queue, onOpen, planning }: DriveOptions,
): Promise<Ended> {
  for (const notice of prepared.notices) printNote(context, notice);
  const { repo, config } = prepared.request.base;
  // A dialogue may go on beside a run of its tree.
  await using _purse = prepared.request.base.purse;
  const socket = placeSocket(context, planning ? path.join(repo.gitDir, String(process.pid)) : repo.gitDir);
  const elsewhere = await createElsewhere(context, {
    ...{ config, commonDir: repo.commonDir, isDialogue: planning !== undefined },
  });
  const { secrets } = elsewhere;
  const { all, screen } = createReporters(context, {
    ...options,
    ...{ commonDir: repo.commonDir, root: repo.root, secrets, others: elsewhere.reporters },
  });
  const update = startUpdateNotice(context, config.updateNotice && screen !== undefined);
  // Of several plans in turn the others go on.
  const isAttended = screen !== undefined && isForPerson(context) && !queue;
  const printStopping = () => screen?.print([stopping]);
  let keys: Listening | undefined;
  context.signal.addEventListener('abort', printStopping, { once: true });
  try {
    const phaseOptions = {
      ...prepared.request.options,
      ...elsewhere.options,
      ...defined({ queue }),
      answerMs: config.waitForAnswer ?? (isAttended ? Number.POSITIVE_INFINITY : 0),
      ...defined({ planning: planning && { asked: planning.asked, person: planning.makePerson(screen) } }),
    };
    const request = { ...prepared.request, options: phaseOptions };
    const handOn = await preparePublish(context, request, options);
    const carry = await prepareCarry(context, request);
    const mask = maskSecrets(context.env, secrets);
    prepared.release();
    using opened = await openRun({
      ...request,
      ...defined({ options: carry && { ...phaseOptions, carried: carry.settled } }),
      socket,
      show: (event) => {
        // All before the first phase is the run's header.
        if (event.type === 'phase-started') keys?.tell();
        all.report(event);
        if (isAttended) askAtTerminal(context, event, keys);
        carry?.hear(event);
      },
      // A program reads the journal's past elsewhere; a person wants to see what goes on.
      greet: (past) => {
        all.greet(past);
        printResumeSummary(screen, past, request.about);
      },
      mask,
    });
    elsewhere.open(opened.place);
    onOpen?.();
    await carry?.begin(opened.place, mask);
    rememberRepository(context.folders, repo);
    const debugLog = context.openDebugLog?.(opened.place.run.folder);
    if (debugLog !== undefined) printNote(context, `Debug log: ${debugLog}`);
    await using inSandbox = await maybeInSandbox(context, opened.place);
    const { place } = inSandbox;
    using _awake = stayAwake(context, opened.place);
    await using _control = await listenForCommands(context, place, socket);
    // Where a person answers questions, the keys are theirs.
    const hasKeys = planning === undefined;
    using listening = listenToKeys(context, steeredOf(context, place), { screen, hasKeys });
    keys = listening;
    const watchdog = await watchOver(place);
    try {
      const end = await run(place, (state) => writeReceipt(state, receiptExtra(state, false)));
      context.signal.removeEventListener('abort', printStopping);
      await settle(all, place);
      const notCarried = (await carry?.finish()) ?? 0;
      const state = place.run.state();
      // A start that was refused has one thing to say, and no receipt.
      if (end.reconciled) all.finish({ state, extra: receiptExtra(state, false) });
      else
        screen?.print(
          end.reasons.flatMap(({ hint }) => (hint === undefined ? [] : [line('plain', hint, 1)])),
        );
      if (end.unwritten) printNote(context, `The report was not written: ${end.unwritten.message}`);
      return { exit: pickExit([end.exit, notCarried, await handOn(place)]), state: place.run.state() };
    } finally {
      await watchdog.close();
    }
  } finally {
    context.signal.removeEventListener('abort', printStopping);
    await all.settle();
    all.close();
    update.tell();
  }
}

/** Messages and telemetry of the run's end leave before its receipt, which names those that did not. */
async function settle({ settle }: Pick<Reporters['all'], 'settle'>, { run }: Place): Promise<void> {
  const { length } = run.state().notices;
  await settle();
  const state = run.state();
  if (state.notices.length === length) return;
  writeFileAtomic(
    path.join(run.folder, inRun.report),
    writeReceipt(state, receiptExtra(state, false)),
    0o600,
  );
}

/** A question rings, and once nothing else is done its answer can be typed at once. */
function askAtTerminal({ stdout }: CliContext, event: Event, keys: Listening | undefined): void {
  if (event.type === 'task-parked') stdout.write('\x07');
  if (event.type === 'waiting' && event.why === 'answer') keys?.askForAnswer(true);
  if (event.type === 'waited' || event.type === 'task-answered') keys?.askForAnswer(false);
}

/** What a run that is taken up again was when it stopped. */
function printResumeSummary(screen: Terminal | undefined, past: RunState, about: OpenRequest['about']): void {
  for (const fact of groundOfResume(past, about)) screen?.report(fact);
  for (const fact of spendingOfResume(past)) screen?.recall(fact);
}

function stayAwake({ platform, env }: CliContext, place: Place): Disposable {
  return keepAwake(place.run.config.keepAwake ? awakeCommand(platform, env['PATH']) : undefined, place.env);
}

/** The run's context in its sandbox, if it has one. Only then is that loaded: what speaks to the network takes 25 ms. */
async function maybeInSandbox<P extends Place>(context: CliContext, place: P): Promise<Sandboxed<P>> {
  if (place.run.config.sandbox.kind === 'none')
    return { place, [Symbol.asyncDispose]: () => Promise.resolve() };
  const { sandboxed } = await import('./sandbox/open.ts');
  return sandboxed(context, place);
}

/** The run as its keys steer it. */
function steeredOf(context: CliContext, place: Place): Steered {
  const { interrupt } = context;
  return {
    take: (command) => applyCommand(place, command, { interrupt }),
    isPaused: () => place.run.state().pause !== undefined,
    asks: () => [...place.run.state().tasks.values()].find(({ standing }) => standing === 'parked')?.id,
    says: keysOfRun,
  };
}

/** Starts the run's watchdog; what a former life of the run had left running is ended by it, and named. */
async function watchOver(place: Place): Promise<RunWatchdog> {
  const watchdog = await startRunWatchdog(place.run.folder, {
    notes: { gitDir: place.repo.gitDir, file: path.join(place.run.folder, inRun.swept) },
    onExit: ({ again }) => {
      const text = again
        ? 'the watchdog ended and was started again'
        : 'the watchdog ended, and no other could be started';
      place.run.emit({ type: 'noticed', code: 'watchdog', text });
    },
  });
  const processes = watchdog.leftovers.map(({ pid, command }) => ({ pid, command }));
  if (processes.length > 0) place.run.emit({ type: 'leftovers-ended', processes });
  return watchdog;
}
