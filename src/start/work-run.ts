// Works on an open run to its end: in its sandbox, steered and watched; then publishes the result.
import os from 'node:os';
import path from 'node:path';
import { type ControlSocket, findSocketPath, listenAt } from '../control/socket.ts';
import { pickExit } from '../failure.ts';
import { inRun } from '../journal/folder.ts';
import type { RunState } from '../journal/state.ts';
import type { Carrier } from '../phase/carry/carrier.ts';
import type { RunEnd } from '../phase/finish.ts';
import { answerRequest } from '../phase/steer/steer.ts';
import type { Place } from '../place/place.ts';
import { awakeCommand, keepAwake } from '../process/keep-awake.ts';
import { type RunWatchdog, startRunWatchdog } from '../process/run-watchdog.ts';
import { writeReceipt } from '../report/receipt/receipt.ts';
import { line } from '../report/text/line.ts';
import { run } from '../run.ts';
import type { WorkPlace } from '../work/landing.ts';
import { writeFileAtomic } from '../write-file.ts';
import { formatUncarried } from './carry/prepare-carry.ts';
import { type CliContext, printNote } from './context.ts';
import type { Reporters } from './reporters.ts';
import type { Sandboxed } from './sandbox/open.ts';

export type FinishedRun = Readonly<{ exit: number; state: RunState }>;

/** `ending`: called once nothing is left to be stopped. */
type Work = Reporters &
  Readonly<{
    ending: () => void;
    socket: string | undefined;
    carry: Carrier | undefined;
  }>;

export async function workToEnd(context: CliContext, opened: WorkPlace, work: Work): Promise<FinishedRun> {
  await using inSandbox = await maybeInSandbox(context, opened);
  const { place } = inSandbox;
  using _awake = keepAwake(awakeCommand(context.platform, context.env['PATH']), opened.env);
  await using _control = await listenForCommands(context, place, work.socket);
  const watchdog = await watchOver(place);
  try {
    const end = await run(place, writeReceipt);
    work.ending();
    return await finish(context, place, { ...work, end });
  } finally {
    await watchdog.close();
  }
}

async function finish(
  context: CliContext,
  { run, home }: Place,
  { end, all, screen, carry }: Work & Readonly<{ end: RunEnd }>,
): Promise<FinishedRun> {
  const told = run.state().notices.length;
  // Messages and telemetry are sent before the receipt, which names those that failed.
  await all.settle();
  const uncarried = await carry?.finish();
  // Its end says that another machine has it, unless only the last carry met that.
  const isTold = uncarried === undefined || end.reasons.some(({ code }) => code === 'fenced');
  const lacks = isTold ? '' : formatUncarried(run.state(), uncarried);
  if (lacks !== '') printNote(context, lacks);
  // From where the person pushes it.
  if (lacks !== '') await home?.keep();
  if (lacks !== '' || run.state().notices.length > told)
    writeFileAtomic(
      path.join(run.folder, inRun.report),
      `${writeReceipt(run.state())}${lacks && `\n${lacks}\n`}`,
      0o600,
    );
  // A refused start has no receipt.
  const hints = end.reasons.flatMap(({ hint }) => (hint === undefined ? [] : [line('plain', hint, 1)]));
  if (end.reconciled) all.finish(run.state());
  else screen?.print(hints);
  if (end.unwritten) printNote(context, `The report was not written: ${end.unwritten.message}`);
  return { exit: pickExit([end.exit, lacks === '' ? 0 : 8]), state: run.state() };
}

/** Code for a sandbox is loaded only for one: the network code takes 25 ms. */
async function maybeInSandbox<P extends Place>(context: CliContext, place: P): Promise<Sandboxed<P>> {
  if (place.run.config.sandbox.kind === 'none')
    return { place, [Symbol.asyncDispose]: () => Promise.resolve() };
  const { sandboxed } = await import('./sandbox/open.ts');
  return sandboxed(context, place);
}

/** Also ends what an earlier process of the run left running. */
async function watchOver(place: Place): Promise<RunWatchdog> {
  const watchdog = await startRunWatchdog(place.run.folder, {
    isFirst: place.run.state().resumes === 0,
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

/** The socket's path, by the tree's `gitDir` (a dialogue has another); undefined if no folder is this user's alone. */
export function placeSocket({ folders, uid }: CliContext, gitDir: string): string | undefined {
  return findSocketPath(gitDir, {
    runtime: folders.runtime,
    temporary: [os.tmpdir(), '/tmp'],
    uid,
    host: os.hostname(),
  });
}

/** A run that cannot be reached continues, and says so. */
async function listenForCommands(
  context: CliContext,
  place: Place,
  path: string | undefined,
): Promise<ControlSocket | undefined> {
  const { interrupt } = context;
  const socket =
    path === undefined
      ? undefined
      : await listenAt(path, (line) => answerRequest(place, line, { interrupt })).catch(() => undefined);
  if (socket === undefined) {
    const text =
      'pawl could not create a control socket: `pawl pause`, `steer` and the like cannot reach this run';
    place.run.emit({ type: 'noticed', code: 'control', text });
  }
  return socket;
}
