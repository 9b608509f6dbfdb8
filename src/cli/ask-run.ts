// Sends a command to a run: over its control socket if a pawl is working on it; otherwise into the journal of the stopped run,
// for its next start.
import { setTimeout as wait } from 'node:timers/promises';
import { type ControlCommand, type ControlReply, writeRequest } from '../control/request.ts';
import { type Asked, askAt } from '../control/socket.ts';
import { Failure } from '../failure.ts';
import type { RunFolder } from '../journal/folder.ts';
import type { Holder } from '../journal/holder.ts';
import { Journal } from '../journal/journal.ts';
import { acquireLock, lockedFolder } from '../journal/lock.ts';
import { maskSecrets } from '../journal/mask.ts';
import { judgeCommand } from '../phase/steer/steer.ts';
import { type CliContext, print } from '../start/context.ts';
import {
  findLiveRuns,
  findRunHolder,
  findRuns,
  findStarts,
  needPlace,
  needRun,
  placeOfRun,
  readRun,
} from '../start/find-run.ts';
import type { Place } from '../start/locate.ts';

/** A run that a person means, and the live pawl that works on it. */
export type AskedRun = Readonly<{ place: Place; run: RunFolder; holder: Holder | undefined }>;

/** How long a live pawl may take to answer, milliseconds. */
const answerMs = 5_000;
/** How long a pawl that has just started may take until it listens, milliseconds. */
const startMs = 5_000;

/** The run of the plan; without one that which a pawl works on, this working tree's before others', else the one worked on last. */
export function findAskedRun(context: CliContext, plan: string | undefined): AskedRun {
  const place = needPlace(context);
  const live = plan === undefined ? findLiveRuns(place).filter(({ holder }) => !holder.start) : [];
  const own = live.find(({ gitDir }) => gitDir === place.gitDir) ?? (live.length === 1 ? live[0] : undefined);
  if (!own && live.length > 1) throw severalRuns(live);
  const run = own ? findRuns(context, place, { run: own.holder.run })[0] : needRun(context, place, { plan });
  if (!run) throw new Failure('locked', 'a pawl is just starting here', { hint: 'Ask again in a moment.' });
  return { place, run, holder: findRunHolder(place, run.run) };
}

/** Puts a command to the pawl that works, or waits to start; else to the run that stands still. */
export async function ask(
  context: CliContext,
  plan: string | undefined,
  command: ControlCommand,
): Promise<number> {
  const place = needPlace(context);
  const starts = findStarts(context, place, plan);
  const isWorking = findLiveRuns(place).some(
    ({ gitDir, holder }) => gitDir === place.gitDir && !holder.start,
  );
  const start = starts.find(({ gitDir }) => gitDir === place.gitDir) ?? (isWorking ? undefined : starts[0]);
  if (!start) return askRun(context, findAskedRun(context, plan), command);
  return printReply(context, await askLive(start.holder, start.holder.run, command));
}

/** Puts a command to a run and says what comes of it; a command that does not apply is a Failure that says why. */
export async function askRun(context: CliContext, asked: AskedRun, command: ControlCommand): Promise<number> {
  const { holder, run } = asked;
  return printReply(
    context,
    holder ? await askLive(holder, run.run, command) : writeDown(context, asked, command),
  );
}

function printReply(context: CliContext, reply: ControlReply): number {
  if (!reply.ok)
    throw new Failure('usage', reply.error, reply.hint === undefined ? {} : { hint: reply.hint });
  print(context, reply.text);
  return 0;
}

async function askLive(holder: Holder, run: string, command: ControlCommand): Promise<ControlReply> {
  const who = `pawl (process ${holder.pid} on ${holder.host})`;
  if (holder.socket === undefined)
    throw new Failure('environment', `${who} is at work, but takes no commands from other terminals`);
  const line = writeRequest(run, command);
  let asked: Asked = { none: 'gone' };
  for (const until = performance.now() + startMs; performance.now() < until; await wait(50)) {
    asked = await askAt(holder.socket, line, answerMs);
    if ('reply' in asked) return asked.reply;
    if (asked.none !== 'gone') break;
  }
  throw new Failure('environment', `${who} does not answer`, {
    hint:
      asked.none === 'gone'
        ? `Nothing listens at ${holder.socket}; it may be starting or ending: ask again.`
        : 'It may be stopped (Ctrl-Z): `fg` in its terminal continues it.',
  });
}

/** Under the lock, so that no start comes between the look and the words. */
function writeDown(context: CliContext, { place, run }: AskedRun, command: ControlCommand): ControlReply {
  using _lock = acquireLock(lockedFolder(run, placeOfRun(place, run).gitDir), run.run, context.now());
  const judged = judgeCommand(readRun(run), command, false);
  if (!judged.ok) return judged;
  const journal = new Journal(run.folder, maskSecrets(context.env));
  try {
    for (const fact of judged.facts) journal.append(fact, context.now());
  } finally {
    journal.close();
  }
  return { ok: true, text: judged.text };
}

function severalRuns(live: readonly Readonly<{ holder: Holder }>[]): Failure {
  const runs = live.map(({ holder }) => `${holder.run} (process ${holder.pid})`).join(', ');
  return new Failure('usage', `pawl works on several runs here: ${runs}`, {
    hint: 'Ask from the working tree of the one you mean, or name it with --plan.',
  });
}
