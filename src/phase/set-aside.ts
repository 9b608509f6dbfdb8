// Sets a stopped run's work aside, so that the next plan of a queue, or the run itself when it comes back from another machine,
// finds a clean tree, and brings it back later. A rescue is always saved first.
import { readHead } from '../git/protect/snapshot.ts';
import type { Place } from '../place/place.ts';
import type { WorkPlace } from '../work/ports.ts';
import { bringTreeTo } from '../work/rescue/rescue-point.ts';

/** Takes what is not committed out of the tree, where there is any and the run's branch is checked out. */
export async function setWorkAside(place: Place): Promise<void> {
  const { started, carry } = place.run.state();
  if (readHead(place.repo).branch !== started.branch) return;
  const fenced = carry?.fenced ? ({ fenced: true } as const) : {};
  await bringTreeTo(place, 'HEAD', {
    reason: carry?.fenced
      ? `unfinished work when ${carry.fenced.by.host} had taken the run up`
      : 'set aside for the next plan of the queue',
    // Told first: cut off in between, what is in the tree is brought back once more, which changes nothing.
    tell: (rescue) => place.run.emit({ type: 'work-set-aside', ...fenced, rescue }),
  });
}

/** Brings back what was set aside; a file that was changed meanwhile stays as it is, and is told. */
export async function bringWorkBack(place: WorkPlace): Promise<void> {
  const { workAside } = place.run.state();
  if (workAside === undefined) return;
  const left = await place.ports.repository.replay(place, workAside, { withPlan: true });
  place.run.emit({ type: 'work-brought-back', rescue: workAside, left: [...left] });
}
