// Commits found after a kill stay if they are certainly a person's; if that is uncertain, pawl restores nothing and asks.
// whose-commits.ts judges.
import { readFileSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { commandAgain } from '../../event/again.ts';
import { Failure } from '../../failure.ts';
import type { Snapshot } from '../../git/protect/snapshot.ts';
import type { RestoreOptions } from '../../git/restore/violation.ts';
import { descends, describeCommits } from '../../git/run/ancestry.ts';
import { readLog } from '../../git/run/log.ts';
import { inRun, sessionFile } from '../../journal/folder.ts';
import type { Place } from '../../place/place.ts';
import { emitHandEdits } from '../../work/edits/external-edits.ts';
import { saveRescuePoint } from '../../work/rescue/rescue-point.ts';
import { judgeWhose, type MovedHead } from './whose-commits.ts';

/** Accepts a HEAD that a person moved after the cut-off session. */
export function personsCommitsRule(
  place: Place,
  { session, before }: Readonly<{ session: number; before: Snapshot }>,
): Required<Pick<RestoreOptions, 'mayStay'>> {
  return {
    mayStay: async (head) => {
      const moved = await describeMove(place, { session, start: before.head, head });
      const whose = judgeWhose(moved);
      if (whose === 'session') return undefined;
      const isPersons = whose === 'person' || (whose === 'below' && (await hasSameFiles(place, moved)));
      if (!isPersons) throw refusals[whose](moved, commandAgain(place.run.state(), '--take-edits '));
      // The index is reset to HEAD, and what a person has staged besides the commit exists nowhere else.
      await saveRescuePoint(place, 'as it was after the commits made by hand');
      await emitPersonsCommits(place, moved);
      return true;
    },
  };
}

/** A person has replaced the commits on which the session began by others with the same files. */
async function hasSameFiles({ repo, run }: Place, { start, head }: MovedHead): Promise<boolean> {
  const trees = await repo.git(['rev-parse', `${start}^{tree}`, `${head}^{tree}`]);
  const [before, after] = trees.trim().split('\n');
  return before === after && (await descends(repo, run.state().started.base, head));
}

async function describeMove(
  { repo, run }: Place,
  { session, start, head }: Readonly<{ session: number; start: string; head: string }>,
): Promise<MovedHead> {
  const onStart = await descends(repo, start, head);
  const swept = readSwept(run.folder);
  const commits = onStart ? await readLog(repo, [`${start}..${head}`, '--']) : [];
  return {
    ...{ start, head, onStart, swept },
    onSwept: swept !== undefined && (await descends(repo, swept, head)),
    times: commits.map(({ at }) => Date.parse(at)),
    aliveMs: lastSign(sessionFile(run.folder, session)),
    bootMs: Date.now() - os.uptime() * 1_000,
    takes: run.options.takeEdits,
  };
}

function readSwept(folder: string): string | undefined {
  try {
    return readFileSync(path.join(folder, inRun.swept), 'utf8').trim() || undefined;
  } catch {
    return undefined;
  }
}

/** When the session's output was last written to. */
function lastSign(name: string): number {
  const times = ['.ndjson', '.stderr.log', '.prompt.md'].map(
    (ending) => statSync(`${name}${ending}`, { throwIfNoEntry: false })?.mtimeMs ?? 0,
  );
  return Math.max(...times);
}

async function emitPersonsCommits(place: Place, { start, head, onStart }: MovedHead): Promise<void> {
  if (!onStart) return emitHandEdits(place, ['the commits were put into others by hand']);
  const { branch } = place.run.state().started;
  const text = `${await describeCommits(place.repo, { start, head, branch })} by hand after the run was cut off`;
  // A kill may have come after an earlier look.
  if (!place.run.state().interventions.some((known) => known.text === text)) emitHandEdits(place, [text]);
}

const short = (oid: string) => oid.slice(0, 12);

/** `take`: the command that continues and treats the commits as a person's. */
const refusals = {
  mixed: ({ start, swept = '', head }: MovedHead, take: string) =>
    new Failure(
      'history',
      `the interrupted session committed up to ${short(swept)}, and somebody continued from there to ${short(head)} afterwards`,
      {
        hint: `\`git rebase --autostash --onto ${short(start)} ${short(swept)}\` keeps only the later commits; \`${take}\` keeps all of them.`,
      },
    ),
  unsure: ({ start, head }: MovedHead, take: string) =>
    new Failure(
      'history',
      `HEAD moved to ${short(head)} while nothing watched the interrupted session: a person may have done it`,
      {
        hint: `\`${take}\` keeps the commits as yours, \`git reset --soft ${short(start)}\` leaves their files to the task.`,
      },
    ),
  below: ({ start, head }: MovedHead) =>
    new Failure(
      'history',
      `somebody moved HEAD to ${short(head)} after the session was interrupted, and ${short(start)}, where it began, is no longer part of it`,
      {
        hint: `Keep it with \`git branch mine\`, and bring the run's branch back with \`git reset --soft ${short(start)}\`.`,
      },
    ),
} as const;
