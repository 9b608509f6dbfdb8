// What came onto the run's branch since a lane's base: the tasks that landed, and others' commits. The journal decides
// which commits are the run's, not their messages.
import { commandAgain } from '../../event/again.ts';
import { Failure } from '../../failure.ts';
import { moversOf } from '../../git/protect/reflog.ts';
import { descends, describeCommits } from '../../git/run/ancestry.ts';
import { readRef } from '../../git/run/head.ts';
import type { Place } from '../../place/place.ts';
import { sessionOf } from '../../work/session/identity.ts';
import type { Lanes } from './lanes.ts';

/**
 * Tasks that landed. `isRewritten`: a person rewrote the branch before this start, so that it no longer contains the base.
 */
type Incoming = Readonly<{ landed: readonly string[]; isRewritten: boolean }>;

export async function headOf(trunk: Place): Promise<string> {
  const { branch } = trunk.run.state().started;
  const head = await readRef(trunk.repo, `refs/heads/${branch}`);
  if (head !== undefined) return head;
  throw new Failure('git', `the run works on ${branch}, but that branch is gone`, {
    hint: `Recreate it with \`git switch -c ${branch} ${trunk.run.state().lastHead ?? ''}\`, and run the same command again.`,
  });
}

/** The branch's head, before anything is built on it; throws Failure('history') if it was rewritten meanwhile. */
export async function soundHeadOf({ trunk, found }: Pick<Lanes, 'trunk' | 'found'>): Promise<string> {
  const head = await headOf(trunk);
  found.head ??= head;
  if (found.head === head || (await descends(trunk.repo, found.head, head))) return head;
  const { branch } = trunk.run.state().started;
  throw new Failure('history', `the commits of ${branch} were rewritten while tasks were worked on`, {
    hint: `pawl left them as they are. \`git reflog ${branch}\` shows what was there; the same command continues from what is there now.`,
  });
}

/** Reads what came in; throws Failure('history') if a session committed to the branch. A person's commits are reported. */
export async function readIncoming(trunk: Place, from: string, head: string): Promise<Incoming> {
  const listed = await trunk.repo.git(['rev-list', '--reverse', '--left-right', `${from}...${head}`, '--']);
  const commits = listed
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => ({ side: line[0], oid: line.slice(1) }));
  const closed = closedOf(trunk);
  const isRewritten = commits.some(({ side }) => side === '<');
  const came = commits.filter(({ side }) => side === '>');
  if (came.some(({ oid }) => !closed.has(oid))) await noteOthersCommits(trunk, head);
  return {
    landed: came.flatMap(({ oid }) => closed.get(oid) ?? []),
    isRewritten,
  };
}

/** The landed tasks that changed one of the files; none if a file has been renamed. */
export async function findRivals(
  trunk: Place,
  { from, head, files }: Readonly<{ from: string; head: string; files: readonly string[] }>,
): Promise<Readonly<{ rivals?: string[] }>> {
  if (files.length === 0) return {};
  const paths = files.map((file) => `:(literal)${file}`);
  const args = ['rev-list', '--reverse', `${from}..${head}`, '--', ...paths];
  const oids = (await trunk.repo.git(args)).split('\n');
  const closed = closedOf(trunk);
  return { rivals: oids.flatMap((oid) => closed.get(oid) ?? []) };
}

function closedOf({ run }: Place): ReadonlyMap<string, string> {
  return new Map(
    [...run.state().tasks.values()].flatMap((task): [string, string][] =>
      task.closed?.oid === undefined ? [] : [[task.closed.oid, task.id]],
    ),
  );
}

/**
 * Journals, once, commits that a person made since the journal's last record of the head. Throws Failure('history') if a
 * session made them, until a person says that they are theirs.
 */
export async function noteOthersCommits(trunk: Place, head: string): Promise<void> {
  const { repo, run } = trunk;
  const { started, interventions, ownHead = started.base, lastHead = started.base } = run.state();
  if (ownHead === head) return;
  const movers = moversOf(repo, `refs/heads/${started.branch}`, ownHead);
  const session = movers.map((email) => sessionOf(email, run.id)).find((number) => number !== undefined);
  const describe = (start: string) => describeCommits(repo, { start, head, branch: started.branch });
  const upTo = head.slice(0, 12);
  const own = ownHead.slice(0, 12);
  if (session !== undefined && !run.options.takeEdits)
    throw new Failure(
      'history',
      `session ${session} made ${await describe(ownHead)} itself, in the run's own tree`,
      {
        hint: `No check has run on them. \`git log -p ${own}..${upTo}\` shows them, \`git reset --keep ${own}\` takes them back, \`${commandAgain(run.state(), '--take-edits ')}\` keeps them as yours.`,
      },
    );
  if (lastHead === head) return;
  const words = await describe(lastHead);
  const text = `${words} by hand meanwhile, up to ${upTo}`;
  if (interventions.some((known) => known.text === text)) return;
  run.emit({ type: 'intervention', kind: 'hand-edit', text });
}
