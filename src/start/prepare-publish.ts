// `--pr`: where the branch will be pushed and which forge gets the request. Throws what is missing.
import { defined } from '../defined.ts';
import { parseDuration } from '../duration.ts';
import { eventVersion } from '../event.ts';
import { Failure } from '../failure.ts';
import { createForge, loginBy } from '../forge/create.ts';
import type { Forge } from '../forge/forge.ts';
import { listRemotes, readRemoteUrl } from '../git/porcelain.ts';
import type { Repo } from '../git/run/repo.ts';
import { foldFact } from '../journal/fold.ts';
import { type Base, chooseBranchFor } from '../phase/open/may-open.ts';
import { type PushTarget, readRemote } from '../phase/publish/layers.ts';
import type { PublishOptions } from '../place/run.ts';
import { writeReceipt, writeTaskReceipt } from '../report/receipt/receipt.ts';
import type { PreparedRun } from './run-plan.ts';

/** Undefined if no request is wanted. */
export async function preparePublish(
  prepared: PreparedRun,
  token: string | undefined,
): Promise<PublishOptions | undefined> {
  const { base, home: repo = base.repo, runPlan } = prepared;
  const { pr, push, stack: asked = false, watch = '', of } = runPlan.flags;
  if (!pr && !runPlan.about.review?.answers) return undefined;
  const watchMs = parseDuration(watch);
  const stack = of ? of.requests.size > 1 : asked;
  const branch = branchOf(prepared);
  const remote = await findRemote(repo, branch);
  const login = loginBy(token);
  const forge = await forgeOf(base, { repo, remote, login });
  const { name, defaultBranch: target, mayPush } = await forge.project();
  if (mayPush === false)
    throw new Failure('preflight', `the login of ${forge.program} may not push to ${name}`, {
      hint: 'Log in as somebody who may, or name a remote that it may push to: git config branch.<name>.remote.',
    });
  if (branch === target)
    throw new Failure(
      'preflight',
      `--pr needs a branch other than ${branch}, the target of the ${forge.noun}`,
      { hint: 'Give one with --branch.' },
    );
  if (stack && base.config.finalize.squash)
    throw new Failure(
      'preflight',
      '--stack needs a commit for each task, and finalize.squash makes one of all',
      { hint: 'Leave out one of them: --set finalize.squash=false.' },
    );
  // A carried run's branch is pushed there anyway.
  const isPushed = push || base.config.carry.remote === remote;
  if (!isPushed && !(await readRemote({ repo, remote, login }, [branch])).has(branch))
    throw new Failure('preflight', `--pr needs the branch ${branch} on ${remote}, where it does not exist`, {
      hint: `Add --push to push it when the run ends, or push it now: git push -u ${remote} ${branch}`,
    });
  const text: PublishOptions['text'] = (run, end, task) => {
    if (task !== undefined) return writeTaskReceipt(run.state(), task);
    const at = run.now().toISOString();
    return writeReceipt(foldFact(run.state(), { ...end, at, v: eventVersion }));
  };
  return { forge, repo, remote, login, target, stack, text, ...defined({ watchMs, of }) };
}

function branchOf({ runPlan, base }: PreparedRun): string {
  return (runPlan.open?.started ?? chooseBranchFor({ ...runPlan, base })).branch;
}

async function forgeOf({ env, signal, config }: Base, { repo, remote, login }: PushTarget): Promise<Forge> {
  const key = `remote.${remote}.url`;
  const configured = (await repo.git(['config', '--get', key], { okCodes: [0, 1] })).trim();
  const urls = [configured, await readRemoteUrl(repo, remote)];
  return createForge(
    { remote, urls, kind: config.forge.kind },
    { cwd: repo.root, env: { ...env, ...login }, signal },
  );
}

async function findRemote(repo: Repo, branch: string): Promise<string> {
  const remotes = await listRemotes(repo);
  const own = (await repo.git(['config', '--get', `branch.${branch}.remote`], { okCodes: [0, 1] })).trim();
  const remote =
    remotes.find((name) => name === own) ?? remotes.find((name) => name === 'origin') ?? remotes[0];
  if (remote !== undefined) return remote;
  throw new Failure('preflight', '--pr needs a remote, and the repository has none', {
    hint: 'Add one with `git remote add origin <address>`, or leave out --pr.',
  });
}
