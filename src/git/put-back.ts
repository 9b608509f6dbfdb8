// Compares the repository with what it was before a session and puts back what is not the agent's business. It loses
// nothing: whatever it takes away is a ref of pawl's first. It words no event and reads no plan.
import type { FactOf } from '../event.ts';
import { descends, describeCommits } from './ancestry.ts';
import { changeRefs, endOperation, operationOids, pointHead, type RefChange, repairHead } from './head.ts';
import { clearFlags, setIndex } from './index-file.ts';
import { removeLocks } from './lock-files.ts';
import { keepLost } from './lost.ts';
import { fewOf, nameOf } from './names.ts';
import { removePipes } from './pipes.ts';
import { type GuardedChange, putBackGuarded } from './put-guarded-back.ts';
import { type HeadJudgement, judgeHead, nextRefs, type Refs } from './refs.ts';
import type { Repo } from './repo.ts';
import { restoreTree, saveRescue } from './rescue.ts';
import {
  findOperation,
  type Operation,
  readFlags,
  readHead,
  readRefs,
  readStashes,
  resolveHead,
  type Snapshot,
  stampIndex,
} from './snapshot.ts';

/** One thing that was not the agent's business, and what was done. */
export type Act = Readonly<{
  act: FactOf<'act-found'>['act'];
  /** What exactly, in words: a ref, a key, a file. */
  detail: string;
  response: FactOf<'act-found'>['response'];
  /** Ref where what was taken away now lies. */
  kept?: string;
  /** Branch it was done on, where that is not the run's. */
  branch?: string;
  /** Why the attempt must be red; absent when it need not. */
  red?: string;
}>;

export type PutBackOptions = Readonly<{
  run: string;
  /** The run's branch. */
  branch: string;
  /** How the state is saved before a restore; default: an index of its own, `.env*`, 10 MB. */
  rescue?: Readonly<{ index: string; include: readonly string[]; maxFileMb: number }>;
  /** The user's untracked files. Absent: a restore removes no untracked file at all. */
  keep?: ReadonlySet<string>;
  /** What a restore restores to; default: the tree of the snapshot's HEAD. */
  tree?: string;
  /** True for a hook in the work tree that the task names as its own: its change is left and reported. */
  owns?: (file: string) => boolean;
  /** Branches that earlier acts of this session were reported on; they are not reported again as new. */
  told?: readonly string[];
  /** Asked about a HEAD that moved on the run's branch. `true`: it stays, and the work tree with it; a text: why it must not; undefined: it is treated like any other. Default: always undefined. */
  mayStay?: (head: string) => Promise<true | string | undefined>;
  /** Who worked there may mean harm: what git would wait for is taken away first. Default: nobody does. */
  isStrange?: boolean;
  /** Branches that other runs, in working trees of their own, move meanwhile; asked only when one has moved. */
  beside?: () => ReadonlySet<string>;
}>;

/** Compares the repository with the snapshot and puts back what is not the agent's business; config and hooks by plain file writes before any git command. `.git` removed or replaced is Failure('git'). */
export async function putBack(
  repo: Repo,
  before: Snapshot,
  options: PutBackOptions,
): Promise<Readonly<{ acts: readonly Act[] }>> {
  const changes = putBackGuarded(repo, before.guarded, options.owns);
  const pipes = options.isStrange ? await removePipes(repo.root) : [];
  const locks = await removeLocks(repo, options);
  const file = readHead(repo);
  const broken = file.branch === undefined && file.detached === undefined;
  if (broken) repairHead(repo, options.branch);
  const { refs, own } = await readRefs(repo);
  const acts: Act[] = [
    ...(await keepTaken(repo, changes, nextRefs(own, options.run, 'kept'))),
    ...locks.map(
      (lock): Act => ({ act: 'left-process', detail: `a dead git left ${lock}`, response: 'put-back' }),
    ),
    ...pipes.map((file): Act => ({ act: 'planted-pipe', detail: file, response: 'put-back' })),
    ...(await putFlagsBack(repo, before)),
  ];
  if (broken) acts.push({ act: 'switched-branch', detail: 'HEAD was not readable', response: 'put-back' });
  const stashes = readStashes(repo, refs);
  const loose = findOperation(repo) === before.operation ? [] : operationOids(repo);
  const { branch } = resolveHead(readHead(repo), refs);
  const told = [...(options.told ?? []), ...(branch === undefined ? [] : [branch])];
  acts.push(...(await putHeadBack({ repo, before, options, refs, own })));
  const lost = await keepLost(repo, { ...options, before, now: { refs, stashes }, own, loose, told });
  return { acts: [...acts, ...lost.map((move): Act => ({ ...move, response: 'reported' }))] };
}

type AbsorbState = Readonly<{ repo: Repo; before: Snapshot; options: PutBackOptions; refs: Refs; own: Refs }>;

async function putHeadBack(state: AbsorbState): Promise<readonly Act[]> {
  const { repo, before, options, refs } = state;
  const { head, branch } = resolveHead(readHead(repo), refs);
  const operation = findOperation(repo);
  const facts = {
    start: before.head,
    runBranch: options.branch,
    tip: refs.get(`refs/heads/${options.branch}`),
    head,
    branch,
    operation: operation === before.operation ? undefined : operation,
  };
  const isPlain = head === before.head || head === undefined || facts.operation !== undefined;
  const judged = judgeHead({ ...facts, descends: !isPlain && (await descends(repo, before.head, head)) });
  const word = isPlain || branch !== options.branch ? undefined : await options.mayStay?.(head);
  if (word === true) {
    await setIndex(repo, head);
    return [];
  }
  switch (judged.kind) {
    case 'same':
      return [];
    case 'restore':
      return [
        {
          ...(await restoreStart(state, { ...judged, red: word ?? judged.red }, facts)),
          ...elsewhere(facts.branch, options),
        },
      ];
    case 'back':
    case 'absorb':
      return (await goBack(state, judged.kind, facts)).map((act) => ({
        ...act,
        ...elsewhere(facts.branch, options),
      }));
  }
}

function elsewhere(branch: string | undefined, options: PutBackOptions): { branch?: string } {
  return branch === undefined || branch === options.branch ? {} : { branch };
}

/** Takes the work tree back to the start, and HEAD with it. */
async function restoreStart(
  state: AbsorbState,
  { act, red }: Extract<HeadJudgement, { kind: 'restore' }>,
  { head, operation }: Readonly<{ head: string | undefined; operation: Operation | undefined }>,
): Promise<Act> {
  const { repo, before, options } = state;
  const rescue = await rescueBefore(state, red);
  // HEAD last: until it is back, whoever looks again after a kill or a refusal sees that there is something to restore.
  await restoreTree(repo, {
    tree: options.tree ?? before.head,
    index: rescueOptions(repo, options).index,
    rescue: rescue.oid,
    ...(options.keep ? { keep: options.keep } : {}),
  });
  await setIndex(repo, before.head);
  if (operation !== undefined) endOperation(repo);
  const kept = await bringBack(state, head);
  return { act, detail: red, response: 'put-back', kept: kept ?? rescue.ref, red };
}

/** HEAD goes back alone; the work tree is right as it is. */
async function goBack(
  state: AbsorbState,
  how: 'back' | 'absorb',
  { head, branch }: Readonly<{ head: string | undefined; branch: string | undefined }>,
): Promise<readonly Act[]> {
  const { repo, before, options } = state;
  const kept = await bringBack(state, head);
  const acts: Act[] = [];
  if (branch !== options.branch) {
    const detail = branch === undefined ? 'HEAD was detached' : `${branch} was checked out`;
    acts.push({ act: 'switched-branch', detail, response: 'put-back' });
  } else if (head === undefined)
    acts.push({ act: 'moved-ref', detail: `refs/heads/${options.branch} was deleted`, response: 'put-back' });
  if (how === 'absorb' && head !== undefined) {
    await setIndex(repo, before.head);
    acts.push({
      act: 'committed',
      detail: await describeCommits(repo, { start: before.head, head, branch }),
      response: 'absorbed',
      ...(kept === undefined ? {} : { kept }),
    });
  } else if (kept !== undefined)
    acts.push({
      act: 'moved-ref',
      detail: `refs/heads/${options.branch} was moved`,
      response: 'put-back',
      kept,
    });
  return acts;
}

/** The run's branch and HEAD to the start, what they held kept first. Returns the ref of what HEAD was. */
async function bringBack(state: AbsorbState, head: string | undefined): Promise<string | undefined> {
  const { repo, before, options, refs, own } = state;
  const next = nextRefs(own, options.run, 'absorbed');
  const branchRef = `refs/heads/${options.branch}`;
  const tip = refs.get(branchRef);
  const worth = new Set([head, tip].filter((oid): oid is string => oid !== undefined && oid !== before.head));
  const keeping = [...worth].map((oid): RefChange => ({ ref: next(), now: oid, old: undefined }));
  const moving = tip === before.head ? [] : [{ ref: branchRef, now: before.head, old: tip }];
  await changeRefs(repo, `${options.branch} back`, [...keeping, ...moving]);
  if (readHead(repo).branch !== options.branch) await pointHead(repo, options.branch);
  return keeping[0]?.ref;
}

async function rescueBefore(state: AbsorbState, reason: string) {
  const { repo, options } = state;
  return saveRescue(repo, { run: options.run, reason, ...rescueOptions(repo, options) });
}

function rescueOptions(repo: Repo, options: PutBackOptions) {
  return options.rescue ?? { index: `${repo.gitDir}/pawl-rescue.index`, include: ['.env*'], maxFileMb: 10 };
}

async function keepTaken(
  repo: Repo,
  changes: readonly GuardedChange[],
  next: () => string,
): Promise<readonly Act[]> {
  const acts: Act[] = [];
  for (const { taken, ...change } of changes) {
    if (taken === undefined) {
      acts.push(change);
      continue;
    }
    const kept = next();
    const oid = (await repo.write('keep a file', ['hash-object', '-w', '--stdin'], { input: taken })).trim();
    await changeRefs(repo, 'keep a file', [{ ref: kept, now: oid, old: undefined }]);
    acts.push({ ...change, kept });
  }
  return acts;
}

async function putFlagsBack(repo: Repo, before: Snapshot): Promise<readonly Act[]> {
  if (stampIndex(repo) === before.indexStamp) return [];
  const now = await readFlags(repo);
  const added = [...now].filter(([raw, tag]) => before.flags.get(raw) !== tag).map(([raw]) => raw);
  if (added.length === 0) return [];
  await clearFlags(repo, added);
  const detail = `git was told not to look at changes of ${fewOf(added.map(nameOf))}`;
  return [{ act: 'changed-git-config', detail, response: 'put-back' }];
}
