// Drives any planned run: who is told about it, and how it is opened.
import path from 'node:path';
import { defined } from '../defined.ts';
import type { Event } from '../event.ts';
import { tokenVariable } from '../forge/create.ts';
import type { Carrier } from '../phase/carry/carrier.ts';
import type { OpenRequest } from '../phase/open/may-open.ts';
import { openRun } from '../phase/open/open-run.ts';
import type { Person } from '../place/run.ts';
import type { Terminal } from '../report/terminal/terminal.ts';
import { line } from '../report/text/line.ts';
import { beginCarry, prepareCarry } from './carry/prepare-carry.ts';
import { askRed } from './confirm.ts';
import { type CliContext, printNote } from './context.ts';
import { type Entered, enterGround } from './ground/enter.ts';
import { giveGroundUp, leaveGround } from './ground/remove.ts';
import { rememberRepository } from './known-repositories.ts';
import { createElsewhere, type Elsewhere } from './messages.ts';
import { homeRepoOf } from './open-place.ts';
import { preparePublish } from './prepare-publish.ts';
import { createReporters, type Reporters } from './reporters.ts';
import { isForPerson, type KeyListener, listenToKeys } from './run-keys.ts';
import type { RunFlags } from './run-options.ts';
import { type PreparedRun, prepareRun } from './run-plan.ts';
import { type FinishedRun, placeSocket, workToEnd } from './work-run.ts';

type DriveOptions = Readonly<{
  /** Called once the run holds its working tree. */
  onOpen?: () => void;
  /** Of a dialogue: who answers, by way of the screen. */
  makePerson?: (screen: Terminal | undefined) => Person;
}>;

/**
 * Ending a session takes seconds; without a message a person would press again and leave the cleanup to the
 * next start.
 */
const stopping = line(
  'warn',
  'Stopping: ending sessions and checks; their work is kept. Ctrl-C again ends pawl at once.',
);

export async function driveRun(
  context: CliContext,
  prepared: PreparedRun,
  drive: DriveOptions = {},
): Promise<FinishedRun> {
  const { base, runPlan } = prepared;
  const { home: commonDir } = base.repo;
  for (const notice of runPlan.notices) printNote(context, notice);
  const isDialogue = runPlan.about.planning !== undefined;
  const elsewhere = await createElsewhere(context, { config: base.config, commonDir, isDialogue });
  const { mask, reporters: others } = elsewhere;
  const reporters = createReporters(context, { ...runPlan.flags, commonDir, mask, others });
  const { all, screen } = reporters;
  const isAttended = screen !== undefined && isForPerson(context);
  const printStopping = () => screen?.print([stopping]);
  context.signal.addEventListener('abort', printStopping, { once: true });
  const ending = () => context.signal.removeEventListener('abort', printStopping);
  try {
    return await openAndWork(context, prepared, { ...drive, ...reporters, elsewhere, isAttended, ending });
  } finally {
    ending();
    await all.settle();
    all.close();
  }
}

/** `isAttended`: somebody watches who can answer. */
type Drive = DriveOptions &
  Reporters &
  Readonly<{ elsewhere: Elsewhere; isAttended: boolean; ending: () => void }>;

async function openAndWork(context: CliContext, prepared: PreparedRun, drive: Drive): Promise<FinishedRun> {
  const { all, elsewhere, isAttended } = drive;
  const { mask } = elsewhere;
  const { runPlan, base, home } = prepared;
  const { repo } = base;
  let keys: KeyListener | undefined;
  const askAside = async (red: readonly string[]) =>
    (await keys?.aside(() => askRed(context, red))) ?? ('stop' as const);
  const publish = await preparePublish(prepared, context.env[tokenVariable]);
  const options = {
    ...optionsOf(prepared, drive),
    ...defined({ publish, askRed: isAttended ? askAside : undefined }),
  };
  const fresh = runPlan.flags.fresh === true;
  const request = { ...runPlan, base, options, fresh, ...defined({ home }) };
  // A dialogue may go on beside a run of its tree.
  const socket = placeSocket(
    context,
    path.join(repo.gitDir, runPlan.about.planning ? String(process.pid) : ''),
  );
  const remote = await prepareCarry(request);
  let carry: Carrier | undefined;
  const carried = remote === undefined ? undefined : async (anew?: 'anew') => carry?.settled(anew);
  using opened = await openRun({
    ...request,
    options: { ...options, ...defined({ carried }) },
    socket,
    show: (event, ...states) => {
      // Everything before the first phase is the run's header.
      if (event.type === 'phase' && event.state === 'started') keys?.tell();
      // The fact itself announces the end.
      if (event.type === 'carry' && event.state === 'fenced') drive.ending();
      all.report(event, ...states);
      if (isAttended) askAtTerminal(context, event, keys);
      carry?.hear(event);
    },
    mask,
  });
  elsewhere.open(opened.place);
  drive.onOpen?.();
  if (remote !== undefined) carry = await beginCarry(context, opened.place, { remote, mask });
  rememberRepository(context.folders, { root: repo.root, commonDir: repo.home });
  using listening = listenToKeys(context, opened.place, drive.screen);
  keys = listening;
  return await workToEnd(context, opened.place, { ...drive, socket, carry });
}

function optionsOf(
  { runPlan: { options, about }, base }: PreparedRun,
  { makePerson, elsewhere, isAttended, screen }: Drive,
): OpenRequest['options'] {
  return {
    ...options,
    ...elsewhere.options,
    answerMs: base.config.waitForAnswer ?? (isAttended ? Number.POSITIVE_INFINITY : 0),
    ...(about.planning && makePerson
      ? { planning: { asked: about.planning, person: makePerson(screen) } }
      : {}),
  };
}

/** A question rings the bell; once nothing else goes on, its answer can be typed. */
function askAtTerminal({ stdout }: CliContext, event: Event, keys: KeyListener | undefined): void {
  if (event.type === 'task-set-aside' && event.as === 'parked') stdout.write('\x07');
  if (event.type === 'waiting' && event.why === 'answer') keys?.askForAnswer(true);
  if (event.type === 'waited' || (event.type === 'intervention' && event.kind === 'answer'))
    keys?.askForAnswer(false);
}

export async function runOne(context: CliContext, given: string, options: RunFlags): Promise<FinishedRun> {
  return runEntered(context, await enterGround(context, given, options));
}

/** `context`: where the person is. */
export async function runEntered(context: CliContext, entered: Entered): Promise<FinishedRun> {
  const { reserved, worktree } = entered;
  try {
    const prepared = await prepareRun(entered.context, entered.given, entered.options);
    const ended = await driveRun(entered.context, inTree(prepared, entered), {
      onOpen: () => reserved?.[Symbol.dispose](),
    });
    if (worktree) await leaveGround(context, worktree, ended.state);
    return ended;
  } catch (error) {
    reserved?.[Symbol.dispose]();
    if (worktree && reserved) await giveGroundUp(context, worktree, entered.newBranch);
    throw error;
  }
}

function inTree(prepared: PreparedRun, { worktree, newBranch }: Entered): PreparedRun {
  if (!worktree) return prepared;
  const { runPlan, base } = prepared;
  const about = { ...runPlan.about, worktree };
  const home = homeRepoOf(base.repo, worktree.from);
  return { base, home, runPlan: { ...runPlan, about, ...defined({ newBranch }) } };
}
