// The branches that have a request: the run's own, and with --stack one for each task's commit but the last, based on
// the one before. A layer ends below the next task's commit, so that a fix can be in it. Pushed, never over others'
// work: its own must get there; a layer that somebody pushed to is left.
import { Failure } from '../../failure.ts';
import type { ForgeRequest } from '../../forge/forge.ts';
import { readTaskCommit } from '../../git/commit/history.ts';
import { moveCommit } from '../../git/lane/merge-trees.ts';
import { readHeadCommit } from '../../git/protect/snapshot.ts';
import { descends, type LoggedCommit, readLog } from '../../git/run/ancestry.ts';
import type { Repo } from '../../git/run/repo.ts';
import { noticeOnce } from '../../journal/state.ts';
import { closeOf, type TaskState } from '../../journal/task-state.ts';
import type { Place } from '../../place/place.ts';
import type { PublishOptions } from '../../place/run.ts';
import type { ProgramEnd } from '../../process/run-program.ts';
import type { WorkPlace } from '../../work/landing.ts';

export type PublishPlace = WorkPlace & Readonly<{ publish: PublishOptions }>;

/** `task`: whose commit is its lowest; absent: the run's own branch. `request`: the open one, if it is known. */
export type Layer = Readonly<{
  branch: string;
  task?: Pick<TaskState, 'id' | 'title'>;
  commits: readonly string[];
  head: string;
  request?: ForgeRequest;
}>;

/** The lowest first, the run's own last. Emits which commits have other ids than the journal says. */
async function listLayers(place: PublishPlace): Promise<readonly Layer[]> {
  const { run, repo, publish } = place;
  const { branch, base, review } = run.state().started;
  const from = review?.base ?? base;
  const commits = (await readLog(repo, ['--first-parent', `${from}..HEAD`, '--'])).toReversed();
  emitMoved(place, commits);
  const head = commits.at(-1)?.oid ?? from;
  const { tasks } = publish.of ?? run.state();
  const own = commits.flatMap(({ oid, ...commit }, at) => {
    const { task: id = '', key } = readTaskCommit({ oid, ...commit }) ?? {};
    const task = publish.stack ? tasks.get(id) : undefined;
    return task && key !== undefined && closeOf(task)?.key === key ? [{ task, at }] : [];
  });
  const layers = own.slice(0, -1).map(({ task, at }, index): Layer => {
    const oids = commits.slice(index === 0 ? 0 : at, own[index + 1]?.at).map(({ oid }) => oid);
    const name = `${branch}-task-${task.id.replaceAll(/[^\w.-]/g, '-')}`;
    return { branch: name, task, commits: oids, head: oids.at(-1) ?? '' };
  });
  const top = commits.slice(own.length > 1 ? own.at(-1)?.at : 0).map(({ oid }) => oid);
  return [...layers, { branch, commits: top, head }];
}

function emitMoved({ run }: Place, commits: readonly LoggedCommit[]): void {
  const { tasks } = run.state();
  const fixes = listFixes(run);
  const moved = commits.flatMap((commit) => {
    const { task = '', key, run: id } = readTaskCommit(commit) ?? {};
    const known = tasks.get(task);
    const close = known && closeOf(known);
    const fix = id === run.id ? fixes.find((one) => one.task === task) : undefined;
    // Where the journal says that it is.
    const from = close && close.key === key ? close.oid : fix?.oid;
    return from === undefined || from === commit.oid ? [] : [{ task, from, to: commit.oid }];
  });
  const head = commits.at(-1)?.oid;
  if (moved.length > 0 && head !== undefined) run.emit({ type: 'commits-moved', head, moved });
}

/** Returns the layers as they are then. */
export async function moveFixes(place: PublishPlace): Promise<readonly Layer[]> {
  const { run, repo, home } = place;
  let layers = await listLayers(place);
  for (const { task, layer } of listFixes(run)) {
    const at = layers.findIndex(({ branch }) => branch === layer);
    const oid = listFixes(run).find((one) => one.task === task)?.oid ?? '';
    const isAbove = layers.slice(at + 1).some(({ commits }) => commits.includes(oid));
    if (at < 0 || !isAbove) continue;
    const why = await moveCommit(repo, { run: run.id, oid, after: layers[at]?.head ?? '' });
    if (why === undefined) {
      await home?.bring();
      layers = await listLayers(place);
    } else {
      const text = `The fix ${oid.slice(0, 12)} is for ${layer}, and stays on top: ${why}`;
      noticeOnce(run, { code: 'fix-on-top', text });
    }
  }
  return layers;
}

/** `layer`: the branch of the request that it is for, if below the run's. */
export function listFixes({ state }: Place['run']) {
  const rounds = [...state().review.stages.values()].flatMap((stage) => stage.rounds);
  return rounds.flatMap(({ layer, fix }) => (fix ? [{ ...fix, layer }] : []));
}

/** `login`: variables by which git logs in; empty: as the person does. */
export type PushTarget = Readonly<{ repo: Repo; remote: string; login: Readonly<Record<string, string>> }>;

/** `there`: what the remote has now. `foreign`: with somebody else's commits; `lacks`: and without ours. */
export type PushedLayer = Layer & Readonly<{ there: string; foreign?: 'holds' | 'lacks' }>;

export async function pushLayers(
  place: PublishPlace,
  layers: readonly Layer[],
): Promise<readonly PushedLayer[]> {
  const branches = layers.map(({ branch }) => branch);
  const there = await readRemote(place.publish, branches);
  const own = place.run.state().started.branch;
  const pushed: PushedLayer[] = [];
  const words: string[] = there.has(own) ? [] : ['--set-upstream'];
  const specs: string[] = [];
  for (const layer of layers) {
    const { branch, head } = layer;
    const old = there.get(branch);
    const whose = old === undefined || old === head ? undefined : await judgeRemote(place, layer, old);
    const isLeft = old !== undefined && branch !== own && (whose === 'holds' || whose === 'lacks');
    pushed.push(isLeft ? { ...layer, there: old, foreign: whose } : { ...layer, there: head });
    if (isLeft || old === head) continue;
    const ref = `refs/heads/${branch}`;
    // Only a branch of this repository can have an upstream.
    specs.push(`${branch === own ? ref : head}:${ref}`);
    if (whose === 'ours') words.push(`--force-with-lease=${ref}:${old}`);
  }
  if (specs.length > 0) await push(place, [...words, place.publish.remote, ...specs]);
  return pushed;
}

/** A stack's branch there is `ours` if all its commits were this run's: as last pushed, here now, or before a move. */
async function judgeRemote(
  { run, publish: { repo, remote, login, stack, of } }: PublishPlace,
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

async function push({ run, publish }: PublishPlace, words: readonly string[]): Promise<void> {
  const { repo, remote, login } = publish;
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
export async function refuseBehind(place: PublishPlace): Promise<void> {
  const { repo, remote } = place.publish;
  const { branch } = place.run.state().started;
  const there = (await readRemote(place.publish, [branch])).get(branch);
  if (there === undefined) return;
  const shared = await repo.git(['merge-base', there, `refs/heads/${branch}`], { okCodes: [0, 1, 128] });
  if (shared.trim() === there) return;
  const head = await readHeadCommit(place.repo);
  if ((await judgeRemote(place, { branch, head }, there)) === 'ours') return;
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
