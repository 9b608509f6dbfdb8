// Undoes ref changes known to be a session's and reports all others. Refs keep old values that nothing else holds.
import type { Snapshot } from '../protect/snapshot.ts';
import { changeRefs } from '../run/head.ts';
import { fewOf } from '../run/names.ts';
import { findMoves, nextRefs, pawlRef, type RefMove, type Refs } from '../run/refs.ts';
import type { Repo } from '../run/repo.ts';
import type { Violation, ViolationRestore } from './violation.ts';

type Named = Pick<Snapshot, 'refs' | 'stashes'>;

/** `loose`: commits that only a state file named. */
type LostFacts = ViolationRestore &
  Readonly<{ before: Named; now: Named; own: Refs; loose: readonly string[]; told: readonly string[] }>;

/** Keeps what became unreachable in `refs/pawl/<run>/lost/NNN`. */
export async function saveLost(repo: Repo, facts: LostFacts): Promise<readonly Violation[]> {
  const { before, now } = facts;
  const moves = withoutTheirs(findMoves(before.refs, now.refs, facts.branch), facts);
  const dropped = before.stashes.filter((oid) => !now.stashes.includes(oid));
  const loose = [...new Set(facts.loose)];
  const gone = await findGone(repo, [...moves.flatMap(({ old }) => old ?? []), ...dropped, ...loose]);
  const keep = makeKeeper(repo, facts, gone);
  const found = [
    ...(await settleMoves(repo, facts, { moves, gone, keep })),
    ...(await tellStashes(facts, { dropped, gone, keep })),
  ];
  for (const oid of loose) await keep(oid);
  return found;
}

const moved = { act: 'moved-ref', response: 'reported' } as const;
const stashed = { act: 'stashed', response: 'reported' } as const;

/** `gone`: objects that no longer exist. */
type Lost = Readonly<{ gone: ReadonlySet<string>; keep: Keep }>;

/** Keeps the object in a ref, unless something else does. `leaving`: a ref that will not hold it for long. */
type Keep = (oid: string, leaving?: string) => Promise<{ kept?: string }>;

function makeKeeper(repo: Repo, facts: LostFacts, gone: ReadonlySet<string>): Keep {
  const lost = pawlRef(facts.run, 'lost/');
  const next = nextRefs(facts.own, facts.run, 'lost');
  return async (oid, leaving) => {
    if (gone.has(oid)) return {};
    // An earlier look may have kept it.
    const known = [...facts.own].find(([ref, now]) => now === oid && ref.startsWith(lost));
    if (known) return { kept: known[0] };
    if (leaving === undefined && (await isHeld(repo, oid, facts.now.refs))) return {};
    const ref = next();
    await changeRefs(repo, 'keep what was lost', [{ ref, now: oid, old: undefined }]);
    return { kept: ref };
  };
}

async function settleMoves(
  repo: Repo,
  facts: LostFacts,
  { moves, gone, keep }: Lost & Readonly<{ moves: readonly RefMove[] }>,
): Promise<readonly Violation[]> {
  const found: Violation[] = [];
  const back = new Set(moves.filter((move) => goesBack(move, facts) && !gone.has(move.old ?? '')));
  for (const move of moves) {
    const { ref, old, now } = move;
    if (back.has(move)) {
      const kept = now === undefined ? {} : await keep(now, ref);
      await changeRefs(repo, `${ref} back`, [{ ref, now: old, old: now }]);
      found.push({ act: 'moved-ref', detail: describeMove(move), response: 'put-back', ...kept });
    } else if (old !== undefined)
      found.push({ ...moved, detail: describeLost(move, gone.has(old)), ...(await keep(old)) });
  }
  const told = new Set(facts.told.map((branch) => `refs/heads/${branch}`));
  const created = moves.filter((move) => move.kind === 'created' && !told.has(move.ref) && !back.has(move));
  if (created.length > 0) found.push({ ...moved, detail: describeCreated(created) });
  return found;
}

async function tellStashes(
  { before, now }: LostFacts,
  { dropped, gone, keep }: Lost & Readonly<{ dropped: readonly string[] }>,
): Promise<readonly Violation[]> {
  const found: Violation[] = [];
  // Oldest first, so that restoring them recreates the order.
  for (const [at, oid] of [...dropped].reverse().entries()) {
    // Only the list is gone: git adds nothing to it while the ref holds the same.
    const isStill = at === 0 && now.refs.get('refs/stash') === oid;
    const first = isStill ? 'git update-ref -d refs/stash && ' : '';
    const fate = gone.has(oid) ? pruned : `${first}git stash store ${short(oid)} brings it back`;
    const detail = `stash entry ${short(oid)} was dropped (${fate})`;
    found.push({ ...stashed, detail, ...(await keep(oid)) });
  }
  const added = now.stashes.filter((oid) => !before.stashes.includes(oid)).length;
  if (added > 0)
    found.push({ ...stashed, detail: `${added} new stash ${added === 1 ? 'entry' : 'entries'}` });
  return found;
}

/** A replacement ref makes git show another object: besides a run, only a session would create one. */
function goesBack({ ref, kind }: RefMove, { isSessions, mayMake = true }: LostFacts): boolean {
  if (ref.startsWith('refs/replace/')) return kind !== 'deleted';
  if (kind === 'created' && mayMake) return false;
  return isSessions?.(ref) ?? false;
}

function withoutTheirs(moves: readonly RefMove[], { beside }: LostFacts): readonly RefMove[] {
  if (moves.length === 0 || !beside) return moves;
  const theirs = beside();
  return moves.filter(({ ref }) => !ref.startsWith('refs/heads/') || !theirs.has(ref.slice(11)));
}

/** pawl's own refs do not count, since they are removed some day. */
async function isHeld(repo: Repo, oid: string, refs: Refs): Promise<boolean> {
  for (const value of refs.values()) if (value === oid) return true;
  const places = ['refs/heads', 'refs/tags', 'refs/remotes'];
  // Exit 129: not a commit, such as a tag of a blob; only its own ref can hold it.
  const found = await repo.git(['for-each-ref', '--count=1', `--contains=${oid}`, ...places], {
    okCodes: [0, 128, 129],
  });
  return found.trim() !== '' && !(await isTag(repo, oid));
}

/** An annotated tag is its own object: a branch with its commit does not hold it. */
async function isTag(repo: Repo, oid: string): Promise<boolean> {
  return (await repo.git(['cat-file', '-t', oid], { okCodes: [0, 128] })).trim() === 'tag';
}

export async function findGone(repo: Repo, oids: readonly string[]): Promise<ReadonlySet<string>> {
  if (oids.length === 0) return new Set();
  const input = oids.map((oid) => `${oid}\n`).join('');
  const told = await repo.git(['cat-file', '--batch-check'], { input });
  return new Set(told.match(/^[0-9a-f]+(?= missing$)/gm));
}

const pruned = 'git has pruned it: it cannot be brought back from here';

function describeLost(move: RefMove, isGone: boolean): string {
  const { ref, kind, old } = move;
  if (kind !== 'deleted') return describeMove(move);
  const fate = isGone ? pruned : `git update-ref ${ref} ${short(old)} brings it back`;
  return `${ref} was deleted (it was ${short(old)}; ${fate})`;
}

function describeMove({ ref, kind, old, now }: RefMove): string {
  if (kind === 'created') return `${ref} was created`;
  if (kind === 'deleted') return `${ref} was deleted`;
  return `${ref} was moved from ${short(old)} to ${short(now)}`;
}

function describeCreated(moves: readonly RefMove[]): string {
  return `${fewOf(moves.map(({ ref }) => ref))} ${moves.length === 1 ? 'was' : 'were'} created`;
}

function short(oid: string | undefined): string {
  return (oid ?? 'nothing').slice(0, 12);
}
