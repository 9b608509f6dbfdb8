// What must hold in a clone for one of its plans to be submitted: a worker takes it from the remote, and must find there
// what was looked at here. What is missing is refused here, where somebody can push it.
import path from 'node:path';
import type { Config } from '../../config/schema.ts';
import { Failure, needFailure } from '../../failure.ts';
import { fetchRefs, readRemoteRefs, refuseUnknownRemote } from '../../git/carry/remote.ts';
import { fewOf } from '../../git/run/names.ts';
import type { Repo } from '../../git/run/repo.ts';
import { locatePlan, readPlanFile } from '../../plan/file.ts';
import { lintBy } from '../../plan/lint.ts';
import { parsePlan } from '../../plan/parse.ts';
import { commandsOf } from '../../plan/plan.ts';
import type { CliContext } from '../context.ts';
import { refuseFinished, refuseMistakes } from '../inspect-plan.ts';
import type { Place } from '../locate.ts';

/** A plan that a worker can work on: its path from the repository's root, its text, the commands in it. */
export type Submitted = Readonly<{ plan: string; text: string; checks: readonly string[] }>;

/** Reads it; throws Failure('plan') if it could not be run, or has nothing left to do. */
export function readSubmitted(
  { cwd }: Pick<CliContext, 'cwd'>,
  given: string,
  { place, config }: Readonly<{ place: Place; config: Config }>,
): Submitted {
  const { file } = locatePlan(given, cwd);
  const { text } = readPlanFile(file);
  const plan = path.relative(place.root, file).split(path.sep).join('/');
  const parsed = parsePlan(text, given);
  refuseMistakes(parsed, file, lintBy(config));
  refuseFinished(parsed, plan);
  return { plan, text, checks: commandsOf(parsed) };
}

export async function findBase(repo: Repo, base: string, clockMs: number): Promise<string> {
  const remote = { name: 'origin', clockMs };
  await refuseUnknownRemote(repo, remote.name);
  const ref = `refs/heads/${base}`;
  const commit = (await readRemoteRefs(repo, remote, [ref])).get(ref);
  if (commit === undefined)
    throw new Failure('preflight', `origin has no branch ${base}`, { hint: `git push origin ${base}` });
  await fetchRefs(repo, remote, [ref]);
  return commit;
}

/** Throws unless the plan on the base branch is as it is here. */
export async function refuseOther(
  repo: Repo,
  { plan, text, base, commit }: Readonly<{ plan: string; text: string; base: string; commit: string }>,
): Promise<void> {
  const there = await repo.git(['ls-tree', '--name-only', commit, '--', plan]);
  const what =
    there.trim() === ''
      ? `${plan} is not on origin/${base}`
      : (await repo.git(['cat-file', 'blob', `${commit}:${plan}`])) === text
        ? undefined
        : `${plan} differs from origin/${base}`;
  if (what === undefined) return;
  throw new Failure('preflight', what, {
    hint: `Workers take it from there: git add ${plan} && git commit -m "${path.basename(plan)}" && git push origin ${base}`,
  });
}

/** Throws unless what would run on a worker is what was looked at here. */
export async function refuseUnpushed(
  repo: Repo,
  { files, base, commit }: Readonly<{ files: readonly string[]; base: string; commit: string }>,
): Promise<void> {
  if (files.length === 0) return;
  const lines = async (args: readonly string[]) =>
    (await repo.git(args)).split('\0').filter((each) => each !== '');
  const there = new Set(
    await lines(['ls-tree', '-r', '-z', '--name-only', '--full-tree', commit, '--', ...files]),
  );
  const changed = await lines(['diff', '--name-only', '-z', commit, '--', ...files]);
  const other = [...new Set([...files.filter((file) => !there.has(file)), ...changed])];
  if (other.length === 0) return;
  throw new Failure('trust', `what would run differs from origin/${base}: ${fewOf(other)}`, {
    hint: `Commit and push these files, or submit from a clean clone: a worker runs what is on ${base}.`,
  });
}

/**
 * A doubt about an address at which workers are to find the repository, in words; undefined if it has the same base branch
 * as origin. This machine may be unable to reach it.
 */
export async function describeNamed(
  repo: Repo,
  { url, base, commit, clockMs }: Readonly<{ url: string; base: string; commit: string; clockMs: number }>,
): Promise<string | undefined> {
  const ref = `refs/heads/${base}`;
  const remote = { name: url, clockMs, unattended: true as const };
  let there: string | undefined;
  try {
    there = (await readRemoteRefs(repo, remote, [ref])).get(ref);
  } catch (error) {
    return `${url} does not answer from here: ${needFailure(error).message}. Workers have to reach it: check the address that --repo names.`;
  }
  if (there === commit) return undefined;
  throw new Failure(
    'preflight',
    there === undefined ? `${url} has no branch ${base}` : `${url} has a different ${base} than origin`,
    { hint: `A worker would work on that. Push ${base} there, or leave out --repo.` },
  );
}
