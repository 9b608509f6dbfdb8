// Whether a carried journal names anything outside the repository: whoever can push to the remote may have written it, and
// its facts are used here by many readers. What facts name in the run's folder is held by their schema.
import path from 'node:path';
import type { Fact } from '../../event.ts';
import type { Repo } from '../../git/run/repo.ts';
import type { Carried } from './find-carried.ts';

/** What must keep it from being taken up, in words. Names that lead elsewhere would be followed when the run continues. */
export async function findWrong(
  repo: Repo,
  carried: Carried,
  facts: readonly Fact[],
): Promise<string | undefined> {
  const [started] = facts;
  if (started?.type !== 'run-started') return 'its journal does not begin with its start';
  if (started.run !== carried.run || started.branch !== carried.branch || started.plan !== carried.plan)
    return 'its journal is that of another run';
  const outside = facts.flatMap(filesNamed).find((file) => !isInside(file));
  if (outside !== undefined) return `it names ${JSON.stringify(outside)}, outside the repository`;
  if (started.planPlace !== 'tracked') return 'its plan is not in the repository';
  const named = await repo.git(['check-ref-format', '--branch', started.branch], { okCodes: [0, 1, 128] });
  return named.trim() === started.branch
    ? undefined
    : `its branch cannot be ${JSON.stringify(started.branch)}`;
}

/** Files of the repository that a fact names, and that something may read, write or move by that name. */
function filesNamed(fact: Fact): readonly string[] {
  switch (fact.type) {
    case 'run-started':
      return [fact.plan, fact.planLink ?? fact.plan, ...fact.untracked];
    case 'plan-committed':
      return [fact.plan];
    case 'plan-archiving':
    case 'plan-archived':
      return [fact.from, fact.to];
    case 'undo-started':
      return fact.plan === undefined ? [] : [fact.plan];
    case 'plan-writing':
    case 'plan-written':
      return [fact.to];
    case 'taken-up':
      return fact.untracked;
    case 'discard-started':
      return fact.tree?.keep ?? [];
    default:
      return [];
  }
}

function isInside(file: string): boolean {
  const parts = file.split(/[/\\]/);
  return !path.isAbsolute(file) && !parts.includes('..') && parts[0]?.toLowerCase() !== '.git';
}
