// Restores HEAD, branch and index, and the work tree unless it absorbs commits. A ref first keeps what is taken away.
import { defined } from '../../defined.ts';
import { findOperation, type Operation, readHead, resolveHead, type Snapshot } from '../protect/snapshot.ts';
import { saveRescue } from '../rescue/rescue.ts';
import { restoreTree } from '../rescue/restore-tree.ts';
import { descends, describeCommits } from '../run/ancestry.ts';
import { changeRefs, endOperation, pointHead, type RefChange } from '../run/head.ts';
import { type HeadJudgement, judgeHead, nextRefs, type Refs } from '../run/refs.ts';
import type { Repo } from '../run/repo.ts';
import { setIndex } from '../tree/index-file.ts';
import type { Violation, ViolationRestore } from './violation.ts';

type HeadState = Readonly<{ repo: Repo; before: Snapshot; options: ViolationRestore; refs: Refs; own: Refs }>;

/** `refs`: as they are now; `own`: pawl's among them. */
export async function restoreHead(state: HeadState): Promise<readonly Violation[]> {
  const { repo, before, options, refs } = state;
  if (options.leavesHead) return [];
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
  if (judged.kind === 'same') return [];
  const acts =
    judged.kind === 'restore'
      ? [await restoreStart(state, { ...judged, red: word ?? judged.red }, facts)]
      : await goBack(state, judged.kind, facts);
  const elsewhere = branch === undefined || branch === options.branch ? {} : { branch };
  return acts.map((act) => ({ ...act, ...elsewhere }));
}

async function restoreStart(
  state: HeadState,
  { act, red }: Extract<HeadJudgement, { kind: 'restore' }>,
  { head, operation }: Readonly<{ head: string | undefined; operation: Operation | undefined }>,
): Promise<Violation> {
  const { repo, before, options } = state;
  const { run, rescueIndex: index = `${repo.gitDir}/pawl-rescue.index` } = options;
  const rescue = await saveRescue(repo, { run, reason: red, index });
  // HEAD last: until then, a second look after a kill or a refusal sees something to restore.
  await restoreTree(repo, {
    tree: options.tree ?? before.head,
    index,
    rescue: rescue.oid,
    ...defined({ keep: options.keep, exact: before.rescue }),
  });
  await setIndex(repo, before.head);
  if (operation !== undefined) endOperation(repo);
  const kept = await bringBack(state, head);
  return { act, detail: red, response: 'put-back', kept: kept ?? rescue.ref, red };
}

/** Only HEAD goes back; the work tree is right as it is. */
async function goBack(
  state: HeadState,
  how: 'back' | 'absorb',
  { head, branch }: Readonly<{ head: string | undefined; branch: string | undefined }>,
): Promise<readonly Violation[]> {
  const { repo, before, options } = state;
  const kept = await bringBack(state, head);
  const ref = `refs/heads/${options.branch}`;
  const putBack = (act: Violation['act'], detail: string) => ({ act, detail, response: 'put-back' }) as const;
  const violations: Violation[] = [];
  if (branch === undefined) violations.push(putBack('switched-branch', 'HEAD was detached'));
  else if (branch !== options.branch)
    violations.push(putBack('switched-branch', `${branch} was checked out`));
  else if (head === undefined) violations.push(putBack('moved-ref', `${ref} was deleted`));
  if (how === 'absorb' && head !== undefined) {
    await setIndex(repo, before.head);
    const detail = await describeCommits(repo, { start: before.head, head, branch });
    violations.push({ act: 'committed', detail, response: 'absorbed', ...defined({ kept }) });
  } else if (kept !== undefined) violations.push({ ...putBack('moved-ref', `${ref} was moved`), kept });
  return violations;
}

/** Keeps what branch and HEAD held; returns the ref of the old HEAD. */
async function bringBack(state: HeadState, head: string | undefined): Promise<string | undefined> {
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
