// Waits for a person's answer, for the configured time, when every remaining task needs one.

import { lastInstant } from '../event/run.ts';
import type { Place } from '../place/place.ts';
import { isClosed, type Plan } from '../plan/plan.ts';
import { sleepUntil } from '../work/wait/wait.ts';
import { stateOf } from '../work/work.ts';

/**
 * Waits for an answer. `again`: a person has said something, so a task may be free. `over`: nobody did, or no waiting is
 * configured.
 */
export async function awaitAnswers(place: Place, plan: Plan): Promise<'again' | 'over' | 'interrupted'> {
  const { answerMs = 0, task: only } = place.run.options;
  const asking = () =>
    plan.tasks
      .filter((task) => !isClosed(task) && (only === undefined || task.id === only))
      .filter((task) => stateOf(place, task).standing === 'parked')
      .map(({ id }) => id);
  const first = asking();
  if (answerMs <= 0 || first.length === 0 || place.run.signal.aborted) return 'over';
  const until = Math.min(place.run.now().getTime() + answerMs, lastInstant);
  const text = `your answer to task ${first.join(', ')}`;
  place.run.emit({ type: 'waiting', why: 'answer', until, text });
  const isAnswered = () => asking().length < first.length;
  // A pause is rested out first, and another wait follows.
  const isCut = () => {
    const { waiting, pause } = place.run.state();
    return isAnswered() || waiting === undefined || pause !== undefined;
  };
  await sleepUntil(place, { until, wakingMs: answerMs }, isCut);
  const { signal } = place.run;
  const goesOn = isAnswered() || place.run.state().pause !== undefined;
  place.run.emit({ type: 'waited', how: signal.aborted ? 'interrupted' : isCut() ? 'person' : 'time' });
  return signal.aborted ? 'interrupted' : goesOn ? 'again' : 'over';
}
