// Which session made a change: git's logs name who moved a branch, and session records tell which tools wrote which files.
// What neither tells may be a person's.
import path from 'node:path';
import { type Reach, readReach } from '../../agent/session/recorded.ts';
import { moversOf } from '../../git/protect/reflog.ts';
import { findOperation, type Snapshot } from '../../git/protect/snapshot.ts';
import { sessionFile } from '../../journal/folder.ts';
import type { Place } from '../../place/place.ts';
import { sessionOf } from '../session/identity.ts';

/** What is known against sessions. */
export type Suspects = Readonly<{
  /** HEAD or its branch was moved by a session of the run, or a merge or rebase left in the middle. */
  movedHead: boolean;
  /** A command of a session named the tree: what changed in it meanwhile is that session's. */
  reached: boolean;
  /** Whether a session's tools wrote the file, named from the root. */
  wrote(file: string): boolean;
  /** Whether a session of the run moved the ref last; of a ref without a log, whether any reached the tree. */
  movedRef(ref: string): boolean;
  /** Those who did it, given the files that are known to be theirs. */
  guilty(files: readonly string[]): readonly number[];
}>;

/** Reads what is known against the sessions after a number. It runs no git. */
export function readSuspects(place: Place, after: number, before: Snapshot): Suspects {
  const { repo, run } = place;
  const number = (email: string): number | undefined => sessionOf(email, run.id);
  const reaches = reachesOf(place, after);
  const reached = [...reaches].filter(([, { commands }]) => commands).map(([session]) => session);
  const inMiddle = findOperation(repo) === before.operation ? [] : reached;
  const movers = new Set([
    ...inMiddle,
    ...['HEAD', `refs/heads/${run.state().started.branch}`].flatMap((ref) =>
      moversOf(repo, ref, before.head).flatMap((email) => number(email) ?? []),
    ),
  ]);
  const movedHead = movers.size > 0;
  const writersOf = (file: string): readonly number[] =>
    [...reaches]
      .filter(([, { writes }]) =>
        writes.some((name) => path.resolve(repo.root, name) === path.join(repo.root, file)),
      )
      .map(([session]) => session);
  return {
    movedHead,
    reached: reached.length > 0,
    wrote: (file) => writersOf(file).length > 0,
    movedRef: (ref) => {
      const [last] = moversOf(repo, ref);
      // Git keeps no log of tags, and none of what was deleted.
      if (last === undefined) return reached.length > 0;
      const session = number(last);
      if (session !== undefined) movers.add(session);
      return session !== undefined;
    },
    guilty: (files) => [...new Set([...movers, ...reached, ...files.flatMap(writersOf)])],
  };
}

function reachesOf({ repo, run, env }: Place, after: number): ReadonlyMap<number, Reach> {
  const sessions = [...run.state().sessions.keys()].filter((session) => session > after);
  return new Map(sessions.map((session) => [session, readReachInto({ run, env }, repo.root, session)]));
}

/** What a session's record says that it reached for in a tree. */
export function readReachInto(
  { run, env }: Pick<Place, 'run' | 'env'>,
  root: string,
  session: number,
): Reach {
  const agent = run.state().sessions.get(session)?.started.agent;
  // Whose program a script is, its record does not turn on.
  const reader = run.agentNamed(agent, 'sh');
  return readReach(reader, `${sessionFile(run.folder, session)}.ndjson`, namesOf(root, env['HOME']));
}

/** How a command may name a tree. */
export function namesOf(root: string, home: string | undefined): readonly string[] {
  if (home === undefined || !root.startsWith(`${home}/`)) return [root];
  const below = root.slice(home.length);
  return [root, `~${below}`, `$HOME${below}`, `\${HOME}${below}`];
}
