// Hands what people ask of a job's run to the pawl that works on it here, or to its stopped run before that starts.
import path from 'node:path';
import { wishSchema } from '../../control/request.ts';
import { asFailure } from '../../failure.ts';
import type { Database } from '../../fleet/database.ts';
import { answerRequest, type FleetRequest, listOpenRequests } from '../../fleet/requests.ts';
import { listRuns } from '../../journal/folder.ts';
import type { CliContext } from '../context.ts';
import { findRunHolder } from '../find-run.ts';
import { sendCommand } from '../send-command.ts';

/**
 * The requests of these jobs, each by the root of the clone that its run is in. `isStarting`: no pawl works there yet, and
 * none starts meanwhile.
 */
export async function handOver(
  context: CliContext,
  { query }: Pick<Database, 'query'>,
  { roots, isStarting = false }: Readonly<{ roots: ReadonlyMap<string, string>; isStarting?: boolean }>,
): Promise<void> {
  for (const request of await listOpenRequests(query, [...roots.keys()])) {
    const root = roots.get(request.job);
    const reply = root === undefined ? undefined : await replyTo(context, root, { request, isStarting });
    if (reply) await answerRequest(query, request.id, reply);
  }
}

/** Undefined: nobody could be asked now. */
async function replyTo(
  context: CliContext,
  root: string,
  { request, isStarting }: Readonly<{ request: FleetRequest; isStarting: boolean }>,
): Promise<FleetRequest['reply']> {
  const gitDir = path.join(root, '.git');
  const place = { root, gitDir, commonDir: gitDir };
  const [run] = listRuns(gitDir);
  const holder = run && findRunHolder(place, run.run);
  if (!run || !(holder || isStarting)) return undefined;
  const wish = wishSchema.safeParse(request.wish);
  if (!wish.success) return { ok: false, text: 'the pawl there does not know this request' };
  const command = { ...wish.data, by: request.by };
  try {
    const reply = await sendCommand({ ...context, cwd: root }, { place, run, holder }, command);
    return reply.ok ? reply : { ok: false, text: reply.error };
  } catch (error) {
    const failure = asFailure(error);
    if (!failure) throw error;
    // It is just starting or ending.
    return undefined;
  }
}
