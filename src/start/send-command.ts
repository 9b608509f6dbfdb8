// Sends a command to a run: over its control socket, or into a stopped run's journal. Prints nothing.
import { setTimeout as wait } from 'node:timers/promises';
import { type ControlCommand, type ControlReply, writeRequest } from '../control/request.ts';
import { askAt, type ControlAnswer } from '../control/socket.ts';
import { Failure } from '../failure.ts';
import type { RunFolder } from '../journal/folder.ts';
import type { Holder } from '../journal/holder.ts';
import { Journal } from '../journal/journal.ts';
import { acquireLock, lockedFolder } from '../journal/lock.ts';
import { judgeCommand } from '../phase/steer/steer.ts';
import type { CliContext } from './context.ts';
import { placeOfRun, readRun } from './find-run.ts';
import type { Place } from './locate.ts';
import { maskKnown } from './messages.ts';

export type AskedRun = Readonly<{ place: Place; run: RunFolder; holder: Holder | undefined }>;

/** For the answer of a live pawl. */
const answerMs = 5_000;
/** Until one that has just started listens. */
const startMs = 5_000;

export async function sendCommand(
  context: CliContext,
  asked: AskedRun,
  command: ControlCommand,
): Promise<ControlReply> {
  const { holder, run } = asked;
  return holder ? askLive(holder, writeRequest(run.run, command)) : writeDown(context, asked, command);
}

async function askLive(holder: Holder, line: string): Promise<ControlReply> {
  const who = `pawl (process ${holder.pid} on ${holder.host})`;
  if (holder.socket === undefined)
    throw new Failure('environment', `${who} is at work, but takes no commands from other terminals`);
  let asked: ControlAnswer = { none: 'gone' };
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

/** Under the lock: no start comes between the check and the write. */
async function writeDown(
  context: CliContext,
  { place, run }: AskedRun,
  command: ControlCommand,
): Promise<ControlReply> {
  const mask = await maskKnown(context);
  using _lock = acquireLock(lockedFolder(run, placeOfRun(place, run).gitDir), run.run, context.now());
  const judged = judgeCommand(readRun(run), command, false);
  if (!judged.ok) return judged;
  using journal = new Journal(run.folder, mask);
  for (const fact of judged.facts) journal.append(fact, context.now());
  return { ok: true, text: judged.text };
}
