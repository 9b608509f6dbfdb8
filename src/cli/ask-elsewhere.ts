// The options of commands that can be sent to a run carried by another machine, and how its answer is printed.
import type { ControlCommand } from '../control/request.ts';
import { Failure } from '../failure.ts';
import { askRemote, findRemoteRun } from '../start/carry/ask-remote.ts';
import { type CliContext, print } from '../start/context.ts';

/** For commands that can also be sent to a run elsewhere. */
export type RemoteOptions = Readonly<{ remote?: string; from?: string }>;

/** Sends it to that run. `plan`: a word that has no meaning then. */
export async function askElsewhere(
  context: CliContext,
  { remote, from }: Readonly<{ remote: string; from?: string | undefined }>,
  { command, plan }: Readonly<{ command: ControlCommand; plan?: string | undefined }>,
): Promise<number> {
  if (plan !== undefined)
    throw new Failure('usage', `--remote ${remote} already names the run`, { hint: `Leave out ${plan}.` });
  const found = await findRemoteRun(context, { remote, from });
  const { resubmitToFleet } = await import('../start/fleet/submit-again.ts');
  print(context, await askRemote(context, found, command, resubmitToFleet(context)));
  return 0;
}
