// Attributes changes to sessions: git's reflogs name who moved a branch, and session records tell which tools wrote which
// files. Anything else may be a person's.
import path from 'node:path';
import { type Reach, readReach } from '../../agent/session/recorded.ts';
import { moversOf } from '../../git/protect/reflog.ts';
import { findOperation, type Snapshot } from '../../git/protect/snapshot.ts';
import { sessionFile } from '../../journal/folder.ts';
import type { Place } from '../../place/place.ts';
import { sessionOf } from '../session/identity.ts';

/** The evidence against sessions. */
export type Suspects = Readonly<{
  /** A session of the run moved HEAD or its branch, or left a merge or rebase unfinished. */
  movedHead: boolean;
  /** A session's command named the tree, so changes there since then are attributed to that session. */
  reached: boolean;
  /** Whether a session's tools wrote the file, named from the root. */
  wrote(file: string): boolean;
  /** Whether a session of the run moved the ref last; for a ref without a log, whether any session reached the tree. */
  movedRef(ref: string): boolean;
  /** The sessions responsible, given the files known to be theirs. */
  guilty(files: readonly string[]): readonly number[];
}>;

/** Reads the evidence against sessions after a given number. Runs no git. */
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
      // Git keeps no log for tags or for deleted refs.
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

/** What a session's record says about reaching into a tree. */
export function readReachInto(
  { run, env }: Pick<Place, 'run' | 'env'>,
  root: string,
  session: number,
): Reach {
  const agent = run.state().sessions.get(session)?.started.agent;
  // Reading the record does not depend on which program a script agent runs.
  const reader = run.agentNamed(agent, 'sh');
  return readReach(reader, `${sessionFile(run.folder, session)}.ndjson`, namesOf(root, env['HOME']));
}

/** The ways in which a command may name a tree. */
export function namesOf(root: string, home: string | undefined): readonly string[] {
  if (home === undefined || !root.startsWith(`${home}/`)) return [root];
  const below = root.slice(home.length);
  return [root, `~${below}`, `$HOME${below}`, `\${HOME}${below}`];
}
