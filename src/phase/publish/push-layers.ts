// Pushes a run's branches, never over others' work. Its own must get there; a layer that somebody pushed to is left.
import { Failure } from '../../failure.ts';
import { readHeadCommit } from '../../git/protect/snapshot.ts';
import { descends } from '../../git/run/ancestry.ts';
import type { Repo } from '../../git/run/repo.ts';
import type { Place } from '../../place/place.ts';
import type { PublishOptions } from '../../place/run.ts';
import type { ProgramEnd } from '../../process/run-program.ts';
import type { Layer } from './layers.ts';

/** `login`: variables by which git logs in; empty: as the person does. */
export type PushTarget = Readonly<{ repo: Repo; remote: string; login: Readonly<Record<string, string>> }>;

/** `there`: what the remote has now. `foreign`: with somebody else's commits; `lacks`: and without ours. */
export type PushedLayer = Layer & Readonly<{ there: string; foreign?: 'holds' | 'lacks' }>;

export async function pushLayers(
  place: Place,
  publish: PublishOptions,
  layers: readonly Layer[],
): Promise<readonly PushedLayer[]> {
  const there = await readRemote(
    publish,
    layers.map(({ branch }) => branch),
  );
  const own = place.run.state().started.branch;
  const pushed: PushedLayer[] = [];
  const words: string[] = there.has(own) ? [] : ['--set-upstream'];
  const specs: string[] = [];
  for (const layer of layers) {
    const { branch, head } = layer;
    const old = there.get(branch);
    const whose =
      old === undefined || old === head ? undefined : await judgeRemote(place, publish, layer, old);
    const isLeft = old !== undefined && branch !== own && (whose === 'holds' || whose === 'lacks');
    pushed.push(isLeft ? { ...layer, there: old, foreign: whose } : { ...layer, there: head });
    if (isLeft || old === head) continue;
    const ref = `refs/heads/${branch}`;
    // Only a branch of this repository can have an upstream.
    specs.push(`${branch === own ? ref : head}:${ref}`);
    if (whose === 'ours') words.push(`--force-with-lease=${ref}:${old}`);
  }
  if (specs.length > 0) await push(place, publish, [...words, publish.remote, ...specs]);
  return pushed;
}

/** A stack's branch there is `ours` if all its commits were this run's: as last pushed, here now, or before a move. */
async function judgeRemote(
  { run }: Place,
  { repo, remote, login, stack, of }: PublishOptions,
  { branch, head }: Pick<Layer, 'branch' | 'head'>,
  there: string,
): Promise<'ours' | 'holds' | 'lacks' | undefined> {
  if (!stack) return undefined;
  const known = [run.state(), of].map((state) => state?.requests.get(branch));
  if (known.some((request) => request?.head === there && !request.foreign)) return 'ours';
  const quiet = ['-q', '--no-tags', '--refmap=', '--no-write-fetch-head', '--no-recurse-submodules'];
  await repo.write('fetch a layer', ['fetch', ...quiet, remote, `refs/heads/${branch}`], { env: login });
  const only = await repo.git(['rev-list', '--cherry-pick', '--right-only', `${head}...${there}`, '--']);
  const moved = await repo.git(['rev-list', there, '--not', '--glob=refs/pawl/*/moved/*', '--']);
  const strange = new Set(moved.split('\n'));
  if (!only.split('\n').some((oid) => oid !== '' && strange.has(oid))) return 'ours';
  return (await descends(repo, head, there)) ? 'holds' : 'lacks';
}

async function push(
  { run }: Place,
  { repo, remote, login }: PushTarget,
  words: readonly string[],
): Promise<void> {
  // No hook of the repository sees a token, nor that of the ref which follows the remote.
  const hooks = Object.keys(login).length > 0 ? ['-c', 'core.hooksPath=/dev/null'] : [];
  const end = await repo.hooked('push', [...hooks, 'push', ...words], { input: '', env: login });
  if (end.ended.code === 0) return;
  const { squashed, started } = run.state();
  const { branch } = started;
  const hint = squashed
    ? `The run’s commits were squashed, and ${remote} may still have the old ones, which pawl does not overwrite. To do it yourself: \`git push --force-with-lease ${remote} ${branch}\`; then run the same command again.`
    : `Everything is committed here, and nothing there was overwritten. If somebody has pushed to it, ${takeIn(remote, branch)}`;
  throw new Failure('git', `the branch ${branch} could not be pushed to ${remote}: ${lastWords(end)}`, {
    hint,
  });
}

/** Throws if the remote's branch has commits that are not here: later work could not be pushed. */
export async function refuseBehind(place: Place, publish: PublishOptions): Promise<void> {
  const { repo, remote } = publish;
  const { branch } = place.run.state().started;
  const there = (await readRemote(publish, [branch])).get(branch);
  if (there === undefined) return;
  const shared = await repo.git(['merge-base', there, `refs/heads/${branch}`], { okCodes: [0, 1, 128] });
  if (shared.trim() === there) return;
  const head = await readHeadCommit(place.repo);
  if ((await judgeRemote(place, publish, { branch, head }, there)) === 'ours') return;
  throw new Failure('git', `${remote} has commits of ${branch} that are not here`, {
    hint: takeIn(remote, branch),
  });
}

function takeIn(remote: string, branch: string): string {
  return `\`git pull --rebase ${remote} ${branch}\` takes them in; then run the same command again.`;
}

/** Commits by branch. */
export async function readRemote(
  { repo, remote, login: env }: PushTarget,
  branches: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const refs = branches.map((branch) => `refs/heads/${branch}`);
  const lines = (await repo.git(['ls-remote', remote, ...refs], { env })).split('\n');
  return new Map(
    lines.flatMap((line) => {
      const [oid = '', ref = ''] = line.split('\t');
      return refs.includes(ref) ? [[ref.slice('refs/heads/'.length), oid] as const] : [];
    }),
  );
}

function lastWords({ timedOut, ended, output }: ProgramEnd): string {
  if (timedOut) return 'it did not end in time';
  const lines = output.text.trim().split('\n');
  const refused = lines.find((line) => line.includes('[rejected]') || line.includes('[remote rejected]'));
  const words = refused?.trim() ?? lines.at(-1) ?? '';
  return words === '' ? `exit ${ended.code ?? ended.signal}` : words;
}
