// What of a run is carried: journal, plan and evidence for a restart, and the open work that pawl would commit. Never
// streams, outputs, snapshots or rescues: they may hold secrets.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Fact } from '../../event.ts';
import { carriedName } from '../../git/carry/carried-commit.ts';
import { identityOf, isGuardIntact, type ProtectedFiles } from '../../git/protect/protected-files.ts';
import { fewOf } from '../../git/run/names.ts';
import { withCopy } from '../../git/tree/index-file.ts';
import { writeTree } from '../../git/tree/tree.ts';
import type { RunState } from '../../journal/state.ts';
import type { Place } from '../../place/place.ts';
import { readKeptSnapshot } from '../../work/restart-files.ts';
import { rulesOf } from '../../work/tree/work-tree.ts';

/** Facts that another machine must not miss. */
export const mustNotMiss: ReadonlySet<Fact['type']> = new Set([
  'session-started',
  'task-closed',
  'task-reopened',
  'task-set-aside',
  'intervention',
  'definitions-taken',
  'plan-committed',
  'plan-archived',
  'replan',
  'run-squashed',
  'paused',
  'request',
  'commits-moved',
  'run-ended',
]);

/** By the journal: an agent's own commits are not the run's. */
export function headOf({ lastHead, carry, started }: RunState): string {
  return lastHead ?? carry?.head ?? started.base;
}

/** The journal is masked already. A plan, which git has anyway, takes the place of the one there: it stays as it is. */
export function readContent(folder: string, mask: (text: string) => string): Map<string, Buffer> {
  const read = (name: string) => readFileSync(path.join(folder, name));
  const masked = (name: string) => Buffer.from(mask(read(name).toString('utf8')));
  const names = readdirSync(folder).filter((name) => carriedName.test(name));
  return new Map(names.map((name) => [name, name.startsWith('evidence-') ? masked(name) : read(name)]));
}

/**
 * Whether git may run beside a session: its configuration is unchanged. `guarded`: as this process saw it; undefined
 * after a kill, when the earlier process's record is used.
 */
export async function isSafeBeside(place: Place, guarded: ProtectedFiles | undefined): Promise<boolean> {
  const identity = identityOf(place.repo);
  const kept = guarded ? undefined : readKeptSnapshot(place)?.guarded;
  const before = guarded ?? (kept && { ...kept, identity });
  return before !== undefined && isGuardIntact(place.repo, before);
}

/** In the run's own tree; `withheld`: what may not leave, in words. Undefined before the run looked at its tree. */
export async function readWork(
  place: Place,
): Promise<Readonly<{ tree: string; withheld: string }> | undefined> {
  const { ended } = place.run.state().course;
  if (ended) return ended.tree === undefined ? undefined : { tree: ended.tree, withheld: '' };
  if (!existsSync(place.index)) return undefined;
  const { tree, refused } = await withCopy(place.index, 'carry', (index) =>
    writeTree(place.repo, index, { rules: rulesOf(place) }),
  );
  const withheld = refused.filter(({ why }) => why.startsWith('secret-') || why === 'too-big');
  return { tree, withheld: fewOf(withheld.map(({ file }) => file)) };
}
