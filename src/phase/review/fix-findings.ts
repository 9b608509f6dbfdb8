// The fixer of a round: its findings become one piece of work, guarded like a task. Work that stays red is kept in a rescue
// and the tree is restored.
import { defined } from '../../defined.ts';
import type { FindingState } from '../../journal/fold-review.ts';
import type { Place } from '../../place/place.ts';
import { runAuxiliaryWork } from '../../work/loop/auxiliary-work.ts';
import type { WorkPlace } from '../../work/ports.ts';
import type { Stop } from '../../work/stopped.ts';
import { stateOf } from '../../work/work.ts';

type Where = Readonly<{ stage: string; round: number }>;

/** Makes findings of a round a piece of work. */
export function planFix(
  place: Place,
  { stage, round, findings }: Where & Readonly<{ findings: readonly FindingState[] }>,
): void {
  const [only] = findings;
  const title = only && findings.length === 1 ? only.finding.title : `${findings.length} findings`;
  const ids = findings.map(({ id }) => id);
  place.run.emit({ type: 'fix-planned', task: idOf({ stage, round }), title, stage, round, findings: ids });
}

/** Whether the round has come to its fixer. */
export function isPlanned(place: Place, { name }: Readonly<{ name: string }>, round: number): boolean {
  return place.run.state().fixes.has(idOf({ stage: name, round }));
}

/** Has the findings mended, or goes on with that; undefined when it came to an end, which then is journaled. */
export async function fixFindings(place: WorkPlace, where: Where): Promise<Stop | undefined> {
  const id = idOf(where);
  return runAuxiliaryWork(place, id, {
    emitClosed: ({ reason, oid }) =>
      place.run.emit({ type: 'fix-ended', ...where, result: 'committed', reason, oid }),
    giveUp: async (reason) => {
      const { start } = stateOf(place, { id });
      const rescue =
        start && (await place.ports.repository.restoreStart(place, { start }, `${id} was not fixed`));
      const kept = defined({ rescue });
      place.run.emit({ type: 'fix-ended', ...where, result: 'unfixed', reason, ...kept });
    },
  });
}

function idOf({ stage, round }: Where): string {
  return `fix-${stage}-${round}`;
}
