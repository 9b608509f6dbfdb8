// Runs green checks in a ground with the deciding files as they were: a needed change counts against the work.
import type { Violation } from '../../git/restore/violation.ts';
import type { WrittenTree } from '../../git/tree/tree.ts';
import type { Place } from '../../place/place.ts';
import { openLab } from '../../proof/lab.ts';
import { findCulprits } from '../../proof/try-definitions.ts';
import { commitOf, inTrials } from '../tree/set-up-ground.ts';
import { checksOf, stateOf, type Work } from '../work.ts';
import { findTouched, type Touched } from './touched-checks.ts';
import { emitViolations, type Whose } from './violations.ts';

/** In words. `reds`: against the round; `read`: why green may prove nothing. */
export type TouchedVerdict = Readonly<{ reds: readonly string[]; read: readonly string[] }>;

export async function judgeTouched(
  place: Place,
  work: Work,
  { tree, whose }: Readonly<{ tree: WrittenTree; whose: Whose }>,
): Promise<TouchedVerdict> {
  const touched = await findTouched(place, work, tree);
  if (touched.length === 0) return { reds: [], read: [] };
  const allowed = touched.filter(({ leave }) => leave !== undefined);
  const suspects = touched.filter(({ leave }) => leave === undefined);
  const guilty = await findGuilty(place, work, { suspects, tree });
  emitViolations(place, {
    past: stateOf(place, work.task).violations,
    whose,
    violations: [
      ...allowed.map(({ file, how, leave }) => act(`${file} ${how}, ${leave}`, 'allowed')),
      ...guilty.map((one) => act(`${one.file} ${one.how}`, one.caller === 'own' ? 'refused' : 'reported')),
    ],
  });
  noteInnocent(
    place,
    work,
    suspects.filter(({ file }) => !guilty.some((one) => one.file === file)),
  );
  const refused = guilty.filter(({ caller }) => caller === 'own');
  const asked = guilty.filter(({ caller }) => caller !== 'own');
  return {
    reds: refused.map(({ file, how, why }) => `${file} ${how}, and ${why}: put it back as it was`),
    read: asked.map(({ file, how, why }) => `${file} ${how}, ${why}, and the task does not name it`),
  };
}

/** A gutted definition may show only in later work: each is named, once. */
function noteInnocent(place: Place, work: Work, innocent: readonly Touched[]): void {
  const { tamper } = stateOf(place, work.task);
  for (const { file, how } of innocent) {
    const quote =
      how === 'is new' ? 'the checks are green without it' : 'the checks are green as it was, too';
    const isKnown = tamper.some((note) => note.file === file && note.quote === quote);
    // Until something calls it, it decides nothing.
    if (isKnown || (how === 'is new' && script.test(file))) continue;
    const detail = `a definition that ${how}`;
    place.run.emit({ type: 'tamper-noted', task: work.task.id, file, detail, quote });
  }
}

const script = /\.(?:sh|bash|zsh)$|^(?:scripts?|tools|ci|\.husky)\//;

function act(detail: string, response: Violation['response']): Violation {
  return { act: 'edited-check', detail, response };
}

type Guilty = Touched & Readonly<{ why: string }>;

/** Files without whose change the checks are red; all where that cannot be told. */
async function findGuilty(
  place: Place,
  work: Work,
  { suspects, tree }: Readonly<{ suspects: readonly Touched[]; tree: WrittenTree }>,
): Promise<readonly Guilty[]> {
  const unclear = suspects.filter((one) => !isToBeTried(one)).map((one) => ({ ...one, why: whyOf(one) }));
  const inside = suspects.filter(isToBeTried);
  if (inside.length === 0) return unclear;
  const checks = checksOf(place, work.planSnapshot, work.task).filter(({ knownRed }) => !knownRed);
  const tried = { commit: await commitOf(place, tree), checks, task: work.task.id };
  const guilty = await inTrials(place, tried, async (trials) => {
    const lab = openLab(trials);
    if (await lab.isRed('the work in a clean ground', new Map())) return undefined;
    return findCulprits(inside, lab, ({ putBack = new Map() }) => putBack);
  });
  if (!guilty) return [...unclear, ...inside.map((one) => ({ ...one, why: whyOf(one) }))];
  return [...unclear, ...guilty.map((one) => ({ ...one, why: 'the checks are green only with that' }))];
}

/** A check's script says what done means, whatever the work needs: not tried. */
function isToBeTried({ file, putBack, caller }: Touched): boolean {
  return putBack !== undefined && (caller === undefined || (caller === 'own' && recipe.test(file)));
}

const recipe =
  /(?:^|\/)(?:(?:package|composer)\.json|deno\.jsonc?|(?:GNU)?[Mm]akefile|.*\.mk|\.?[Jj]ustfile|[Tt]askfile.*)$/;

function whyOf({ caller }: Touched): string {
  if (caller === 'own') return 'it decides about this task';
  return caller === 'other' ? 'a check of another task runs it' : 'a check may read it';
}
