// Sends a request to a run that another machine carries: it is left beside the run on the remote, and whoever works on the
// run takes it at the next carry.

import { defined } from '../../defined.ts';
import { takeCommand } from '../../event/again.ts';
import { Failure } from '../../failure.ts';
import { type Remote, refuseUnknownRemote } from '../../git/carry/remote.ts';
import type { Repo } from '../../git/run/repo.ts';
import { isAnswered } from '../../journal/fold-requests.ts';
import { inRun } from '../../journal/folder.ts';
import type { RunState } from '../../journal/state.ts';
import { type AfarRequest, addRequest, requestsRef } from '../../phase/carry/requests.ts';
import { judgeCommand } from '../../phase/steer/steer.ts';
import { formatMs } from '../../report/text/figure.ts';
import type { CliContext } from '../context.ts';
import { needPlace } from '../find-run.ts';
import { maskKnown } from '../mask-known.ts';
import { openPlace } from '../open-place.ts';
import { type Carried, needCarried } from './find-carried.ts';
import { readState } from './lay-out.ts';
import { describeAsker, remoteOf } from './prepare-carry.ts';

/** Which run is meant: `remote`: its id or branch; `from`: the git remote that holds it. */
export type RemoteWish = Readonly<{ remote: string; from?: string | undefined }>;

/** A run on a remote that can still be asked something. */
export type RemoteRun = Readonly<{
  repo: Repo;
  remote: Remote;
  carried: Carried;
  /** As last carried. */
  state: RunState;
  /** Who asks: a person's name and the machine's. */
  by: string;
}>;

/** Finds it; throws a Failure if it is finished. */
export async function findRemoteRun(context: CliContext, wish: RemoteWish): Promise<RemoteRun> {
  const { repo, config } = await openPlace(context, needPlace(context));
  const remote = remoteOf(config, wish.from);
  await refuseUnknownRemote(repo, remote.name);
  const { carried } = await needCarried(repo, remote, wish.remote);
  const { run, host, branch, ended } = carried;
  if (ended)
    throw new Failure('usage', `${host} has finished run ${run}: nothing can be asked of it`, {
      hint: `Its work is on ${branch}: git fetch ${remote.name} ${branch} && git merge FETCH_HEAD`,
    });
  const name = (await repo.git(['config', '--get', 'user.name'], { okCodes: [0, 1] })).trim();
  return { repo, remote, carried, state: readState(carried), by: describeAsker(context, config, name) };
}

/** The plan of the run as last carried. */
export function planOf({ carried }: RemoteRun): string {
  const plan = carried.files.get(inRun.plan);
  if (plan) return plan.toString('utf8');
  throw new Failure(
    'usage',
    `run ${carried.run} has not started a session yet, so its plan has not been carried`,
    { hint: `Edit it on the branch ${carried.branch}, or ask again in a while.` },
  );
}

/** Has a run that is over continued; returns what happens, in words, or undefined if nothing does. */
export type Continue = (found: RemoteRun, wish: AfarRequest['wish']) => Promise<string | undefined>;

/**
 * Leaves it for the run; returns what was asked and when it will be taken, in words. Throws a Failure if it could not apply
 * to the run as last carried.
 */
export async function askRemote(
  context: CliContext,
  found: RemoteRun,
  wish: AfarRequest['wish'],
  goOn?: Continue,
): Promise<string> {
  const { repo, remote, carried, state, by } = found;
  const isOver = state.ended !== undefined;
  const at = context.now();
  const ago = formatMs(Math.max(0, at.getTime() - Date.parse(carried.at)));
  if (wish.do !== 'edit') {
    const judged = judgeCommand(state, wish, !isOver);
    if (!judged.ok)
      throw new Failure('usage', `${judged.error} (as ${carried.host} carried it ${ago} ago)`, {
        ...defined({ hint: isOver ? takeHint(found) : undefined }),
      });
  }
  const mask = await maskKnown(context);
  const asked = { request: context.random(8), by, at: at.toISOString(), wish };
  const text = JSON.stringify(asked, (_, value) => (typeof value === 'string' ? mask(value) : value));
  await addRequest(repo, remote, {
    ref: requestsRef(carried.ref),
    request: JSON.parse(text) as AfarRequest,
    isOpen: (id) => !isAnswered(state.requests, id),
  });
  const goesOn = isOver ? await goOn?.(found, wish) : undefined;
  const when = isOver
    ? (goesOn ?? `It takes effect when the run continues: ${takeCommand(carried.run, remote.name)}`)
    : `${carried.host}, which carried the run ${ago} ago, applies it when it next looks.`;
  return `Asked. ${when}\n\`pawl status --remote${remote.name === 'origin' ? '' : ` --from ${remote.name}`}\` shows the result.`;
}

function takeHint({ carried, remote }: RemoteRun): string {
  return `\`${takeCommand(carried.run, remote.name)}\` continues it.`;
}
