// Commits the plan file alone, as a base for the work.
import path from 'node:path';
import { commitFile } from '../../git/commit/commit-file.ts';
import { fewOf } from '../../git/run/names.ts';
import type { Place } from '../../place/place.ts';
import type { Run } from '../../place/run.ts';
import { fillPattern, joinMessage } from '../../work/close/commit-message.ts';

/** An untracked or changed plan, alone and first, so that every protection has a base. */
export async function commitPlan(place: Place): Promise<void> {
  const { plan, run } = place;
  if (!plan.tracked) return;
  const oid = await commitPlanFile(place, { file: plan.name });
  run.emit({ type: 'plan-committed', oid, plan: plan.name });
}

/** `from`: where it was before. */
export async function commitPlanFile(
  { repo, run, home }: Pick<Place, 'repo' | 'run' | 'home'>,
  { message, ...what }: Readonly<{ file: string; from?: string; message?: string }>,
): Promise<string> {
  const oid = await commitFile(repo, {
    ...what,
    message: message ?? planMessage(run, path.basename(what.file)),
    mark: `PAWL_CHECK=${run.folder}/commit`,
    onAdded: (files) => {
      const text = `A hook added ${fewOf(files)} to a commit of the plan; nobody has checked that, so it is in no commit`;
      run.emit({ type: 'noticed', code: 'hook-added', text });
    },
  });
  await home?.bring();
  return oid;
}

/** `plan: …` within the pattern of `commit.subject`, for hooks that require a form. */
export function planMessage(
  run: Readonly<{ id: string; config: Pick<Run['config'], 'commit'> }>,
  what: string,
  { body = '', trailers = [] }: Readonly<{ body?: string; trailers?: readonly string[] }> = {},
): string {
  const pattern = run.config.commit.subject;
  const title = `plan: ${what}`;
  const subject = pattern.includes('{title}')
    ? fillPattern(pattern, { title, task: 'plan', plan: 'plan' })
    : title;
  return joinMessage([subject, body, [`Pawl-Run: ${run.id}`, ...trailers].join('\n')]);
}
