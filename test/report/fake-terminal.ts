// A terminal on a small fake screen, whose clock goes on a second with each event.
import type { AgentEvent } from '../../src/event/activity.ts';
import { type Event, eventVersion, type Fact, type OfLane, type Stamped } from '../../src/event.ts';
import { foldFact, foldRun, withState } from '../../src/journal/fold.ts';
import { createTerminal, type TerminalOptions } from '../../src/report/terminal/terminal.ts';
import { fact, stampAll } from '../helpers/facts.ts';
import { Screen } from '../helpers/screen.ts';

export const start = Date.UTC(2026, 10, 21, 22, 30);

/** Of a run that pays in dollars. */
export const ground = { ...fact('run-started').ground, billing: 'an API key' };

/** A run that has begun is told to it; `begin` tells of none, and `resume` of one with a past. */
export function setUp(change: Partial<TerminalOptions> = {}, columns = 80) {
  const screen = new Screen(columns);
  const clock = { ms: start, tick: () => {} };
  const terminal = createTerminal({
    stream: screen.stream,
    isTty: true,
    columns: () => screen.columns,
    colour: false,
    level: 'normal',
    now: () => clock.ms,
    every: (_ms, act) => {
      clock.tick = act;
      return () => {
        clock.tick = () => {};
      };
    },
    ...change,
  });
  let hear = withState(terminal.report, foldFact(undefined, stampStart()));
  const tell = (event: Event & OfLane): void => hear(stampAt(event, clock.ms));
  const play = (...events: readonly (Event & OfLane)[]): void => {
    for (const event of events) {
      clock.ms += 1000;
      tell(event);
    }
  };
  const playIn = (lane: number, ...events: readonly Event[]): void =>
    play(...events.map((event) => ({ ...event, lane })));
  const begin = (): void => {
    hear = withState(terminal.report);
  };
  const resume = (...past: readonly Fact[]): void => {
    hear = withState(terminal.report, foldRun([stampStart(), ...stampAll(past)]));
  };
  return { screen, clock, terminal, play, playIn, tell, begin, resume };
}

function stampStart() {
  const at = new Date(start).toISOString();
  return { ...fact('run-started', { ground }), v: eventVersion, at };
}

function stampAt(event: Event, ms: number): Stamped<Event> {
  return { ...event, v: eventVersion, at: new Date(ms).toISOString() };
}

export function act(
  event: AgentEvent,
  by: Readonly<{ session: number; task?: string }> = { session: 3, task: '2' },
): Event {
  return { type: 'activity', ...by, event };
}
