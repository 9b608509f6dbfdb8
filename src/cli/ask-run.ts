// Sends a command from the command line to the run that a person means, and prints the result.
import type { ControlCommand, ControlReply } from '../control/request.ts';
import { defined } from '../defined.ts';
import { Failure } from '../failure.ts';
import type { Holder } from '../journal/holder.ts';
import { type CliContext, print } from '../start/context.ts';
import { findLiveRuns, findRunHolder, findRuns, needPlace, needRun } from '../start/find-run.ts';
import { type AskedRun, sendCommand } from '../start/send-command.ts';

/**
 * The run of the plan; without a plan, the run that a pawl is working on (this working tree's before others'), else the one
 * last worked on.
 */
export function findAskedRun(context: CliContext, plan: string | undefined): AskedRun {
  const place = needPlace(context);
  const live = plan === undefined ? findLiveRuns(place) : [];
  const own = live.find(({ gitDir }) => gitDir === place.gitDir) ?? (live.length === 1 ? live[0] : undefined);
  if (!own && live.length > 1) throw severalRuns(live);
  const run = own ? findRuns(context, place, { run: own.holder.run })[0] : needRun(context, place, { plan });
  if (!run) throw new Failure('locked', 'a pawl is just starting here', { hint: 'Ask again in a moment.' });
  return { place, run, holder: findRunHolder(place, run.run) };
}

/** Sends a command to the pawl that is working; else to the stopped run. */
export async function ask(
  context: CliContext,
  plan: string | undefined,
  command: ControlCommand,
): Promise<number> {
  return askRun(context, findAskedRun(context, plan), command);
}

/** Sends a command to a run and prints the result; a command that does not apply throws a Failure that says why. */
export async function askRun(context: CliContext, asked: AskedRun, command: ControlCommand): Promise<number> {
  return printReply(context, await sendCommand(context, asked, command));
}

function printReply(context: CliContext, reply: ControlReply): number {
  if (!reply.ok) throw new Failure('usage', reply.error, defined({ hint: reply.hint }));
  print(context, reply.text);
  return 0;
}

function severalRuns(live: readonly Readonly<{ holder: Holder }>[]): Failure {
  const runs = live.map(({ holder }) => `${holder.run} (process ${holder.pid})`).join(', ');
  return new Failure('usage', `pawl works on several runs here: ${runs}`, {
    hint: 'Ask from the working tree of the one you mean, or name it with --plan.',
  });
}
