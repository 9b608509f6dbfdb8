// What refs say, and what their changes mean. Pure.

/** Object ids by full name; neither pawl's own nor remotes. */
export type Refs = ReadonlyMap<string, string>;

/** A branch's short name, or a commit if detached; both undefined if HEAD cannot be read. */
export type Head = Readonly<{ branch: string | undefined; detached: string | undefined }>;

export type RefMove = Readonly<{
  ref: string;
  kind: 'created' | 'deleted' | 'moved';
  old: string | undefined;
  now: string | undefined;
}>;

/** `own`: pawl's; `links`: symbolic refs with targets; `remotes`: remote-tracking ones. */
export type AllRefs = Readonly<{ refs: Refs; own: Refs; links: Refs; remotes: Refs }>;

/** Parses `%(objectname) %(refname) %(symref)`. */
export function parseRefs(text: string): AllRefs {
  const refs = new Map<string, string>();
  const own = new Map<string, string>();
  const links = new Map<string, string>();
  const remotes = new Map<string, string>();
  for (const line of text.split('\n')) {
    const [oid = '', ref = '', target = ''] = line.split(' ');
    if (ref === '') continue;
    if (ref.startsWith('refs/remotes/')) {
      if (target === '') remotes.set(ref, oid);
      continue;
    }
    if (target !== '') links.set(ref, target);
    (ref.startsWith('refs/pawl/') ? own : refs).set(ref, oid);
  }
  return { refs, own, links, remotes };
}

export function parseHead(text: string): Head {
  const branch = /^ref:\s*refs\/heads\/(\S+)\s*$/.exec(text)?.[1];
  const detached = /^([0-9a-f]{40}|[0-9a-f]{64})\s*$/.exec(text)?.[1];
  return { branch, detached };
}

/** Without the run's branch, the stash and bisect's; sorted. */
export function findMoves(before: Refs, now: Refs, branch: string): readonly RefMove[] {
  const names = [...new Set([...before.keys(), ...now.keys()])].sort();
  return names.flatMap((ref): readonly RefMove[] => {
    const [old, current] = [before.get(ref), now.get(ref)];
    if (old === current || ref === `refs/heads/${branch}` || ref === 'refs/stash') return [];
    if (ref.startsWith('refs/bisect/') || ref.startsWith('refs/rewritten/')) return [];
    const kind = old === undefined ? 'created' : current === undefined ? 'deleted' : 'moved';
    return [{ ref, kind, old, now: current }];
  });
}

export type HeadJudgement =
  | Readonly<{ kind: 'same' }>
  /** Another branch on the same commit, or the run's deleted: HEAD and the branch go back; the work tree is right. */
  | Readonly<{ kind: 'back' }>
  | Readonly<{ kind: 'absorb' }>
  | Readonly<{
      kind: 'restore';
      act: 'rewrote-history' | 'merge-in-progress' | 'switched-branch';
      red: string;
    }>;

/** `descends`: the start is an ancestor of HEAD. */
export function judgeHead(
  facts: Readonly<{
    start: string;
    runBranch: string;
    /** What the run's branch points to now. */
    tip: string | undefined;
    head: string | undefined;
    branch: string | undefined;
    descends: boolean;
    operation: string | undefined;
  }>,
): HeadJudgement {
  const { start, runBranch, tip, head, branch, descends, operation } = facts;
  if (operation !== undefined)
    return { kind: 'restore', act: 'merge-in-progress', red: `a ${operation} was left in progress` };
  if (head === start) return branch === runBranch ? { kind: 'same' } : { kind: 'back' };
  if (head === undefined && branch === runBranch) return { kind: 'back' };
  if (descends) return { kind: 'absorb' };
  if (tip === start)
    return {
      kind: 'restore',
      act: 'switched-branch',
      red: `the working tree was left on ${branch ?? 'another commit'}, which lacks the run's own work`,
    };
  return { kind: 'restore', act: 'rewrote-history', red: "the history of the run's branch was rewritten" };
}

/** `refs/pawl/<run>/<tail>`, without characters that no ref may contain. */
export function pawlRef(run: string, tail: string): string {
  const safe = run
    .replace(/[^\p{L}\p{N}._-]/gu, '-')
    .replace(/\.{2,}/g, '-')
    .replace(/^\.|\.$|\.lock$/g, '-');
  return `refs/pawl/${safe === '' ? '-' : safe}/${tail}`;
}

/** Of pawl's own, those that only name what is current. */
export function isPassing(ref: string): boolean {
  return /\/(tree[^/]*|held|head|carried|carrying)$/.test(ref) || ref.startsWith('refs/pawl/home/');
}

/** Where it keeps what does not lead up to its value; `pawl rescue list` knows those of rescue chains. */
export function earlierName(ref: string, oid: string): string {
  const [, folder = '', tail = ''] = /^(refs\/pawl\/[^/]+\/(?:lanes\/\d+\/)?)(.*)$/.exec(ref) ?? [];
  return `${folder}earlier/${tail === 'rescue' ? '' : `${tail}/`}${oid}`;
}

/** Next free `NNN` names below a folder. */
export function nextRefs(own: Refs, run: string, folder: string): () => string {
  const prefix = pawlRef(run, `${folder}/`);
  const taken = [...own.keys()]
    .filter((ref) => ref.startsWith(prefix))
    .map((ref) => Number(ref.slice(prefix.length)));
  let last = Math.max(0, ...taken.filter(Number.isInteger));
  return () => {
    last += 1;
    return `${prefix}${String(last).padStart(3, '0')}`;
  };
}
