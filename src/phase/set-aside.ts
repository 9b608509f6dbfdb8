// Sets a run's work aside while another machine has it, and brings it back. Always after a rescue point.
import { readHead } from '../git/protect/snapshot.ts';
import type { Place } from '../place/place.ts';
import type { WorkPlace } from '../work/landing.ts';
import { bringTreeTo, replayPoint } from '../work/rescue/rescue-point.ts';

export async function setWorkAside(place: Place): Promise<void> {
  const { started, carry } = place.run.state();
  if (readHead(place.repo).branch !== started.branch) return;
  await bringTreeTo(place, 'HEAD', {
    reason: `unfinished work when ${carry?.fenced?.by.host ?? 'another machine'} had taken the run up`,
    // Journaled first: after a kill it is brought back once more, which changes nothing.
    tell: (rescue) => place.run.emit({ type: 'carry', state: 'work-aside', rescue }),
  });
}

export async function bringWorkBack(place: WorkPlace): Promise<void> {
  const { workAside } = place.run.state();
  if (workAside === undefined) return;
  const left = await replayPoint(place, workAside, { withPlan: true });
  place.run.emit({ type: 'carry', state: 'work-back', rescue: workAside, left: [...left] });
}
