// Waits for permission to start sessions where several machines share an account: for its usage window, and for a share of
// its money. Without the database, nothing starts that was not reserved before.
import { asFailure } from '../../failure.ts';
import type { Place } from '../../place/place.ts';
import type { Leave, LeaveAsked, Purse } from '../../place/purse.ts';
import { moneyOf } from '../budget/share.ts';
import { choiceFor, type Duty } from '../session/choose-agent.ts';
import type { NoWait } from './wait-plan.ts';

/** Who is waiting, and whether a person still wants it. */
export type WaitFor = Readonly<{
  /** The sessions that come next. */
  duties: readonly Duty[];
  isWanted: () => boolean;
}>;

/** The longest interval between two questions, in milliseconds. */
const everyMs = 5_000;

/** Returns once permission is given or nobody wants it any more; else returns why the run has to stop. */
export async function awaitLeave(place: Place, { duties, isWanted }: WaitFor): Promise<NoWait | undefined> {
  const { run } = place;
  const { purse } = run;
  if (!purse || duties.length === 0) return undefined;
  let told: string | undefined;
  let awaySince: number | undefined;
  try {
    for (;;) {
      if (run.signal.aborted || !isWanted()) return undefined;
      const agents = agentsOf(place, duties);
      const leave = await ask(place, purse, { agents, sessions: duties.length });
      if (leave.kind === 'go') return undefined;
      if (leave.kind === 'spent') return { stop: 'budget', reason: leave.reason, hint: leave.hint };
      const now = run.now().getTime();
      if (leave.away) {
        awaySince ??= now;
        const { patience } = run.config.fleet;
        if (now - awaySince >= patience)
          return {
            stop: 'budget',
            reason: `${leave.text}, for longer than fleet.patience`,
            hint: leave.hint,
          };
      } else awaySince = undefined;
      // Now that the limit is known, another agent may stand in.
      if (`${agents}` !== `${agentsOf(place, duties)}`) continue;
      if (leave.forMs > run.config.limits.maxWait)
        return { stop: 'limited', reason: `${leave.text}; the reset is later than limits.maxWait` };
      if (told !== leave.text && !run.state().waiting) {
        run.emit({ type: 'waiting', why: 'fleet', until: now + leave.forMs, text: leave.text });
        told = leave.text;
      }
      await run.sleep(Math.min(everyMs, leave.forMs), AbortSignal.any([run.signal, run.wake()]));
    }
  } finally {
    if (told !== undefined && run.state().waiting?.why === 'fleet')
      run.emit({ type: 'waited', how: run.signal.aborted ? 'interrupted' : isWanted() ? 'time' : 'person' });
  }
}

function agentsOf(place: Place, duties: WaitFor['duties']): readonly string[] {
  return [...new Set(duties.map((duty) => choiceFor(place, duty).agent))];
}

type Answer = Exclude<Leave, { kind: 'wait' }> | (Extract<Leave, { kind: 'wait' }> & Away);
type Away = Readonly<{ away?: true; hint: string }>;

async function ask(
  place: Place,
  purse: Purse,
  asked: Pick<LeaveAsked, 'agents' | 'sessions'>,
): Promise<Answer> {
  const { run, lane } = place;
  try {
    const leave = await purse.ask({ ...asked, ...moneyOf(run.state()), alone: !lane });
    return leave.kind === 'wait' ? { ...leave, hint: '' } : leave;
  } catch (error) {
    const failure = asFailure(error);
    if (failure?.code !== 'environment') throw error;
    const text = `no leave to spend: ${failure.message}`;
    const hint = failure.hint ?? '';
    return { kind: 'wait', forMs: everyMs, text, away: true, hint };
  }
}
