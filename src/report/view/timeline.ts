// How a run spent its time, as bars from facts and sessions.
import { defined } from '../../defined.ts';
import type { Fact, FactOf, Stamped } from '../../event.ts';
import { restsNow } from '../../journal/fold-waits.ts';
import type { RunState, SessionState } from '../../journal/state.ts';
import { describeCheck, toneOfCheck } from '../events/format-check.ts';
import { formatCommand, formatCount } from '../text/figure.ts';
import type { Bar, Timeline } from './run-view.ts';
import { viewWorks } from './works.ts';

/** Checks no further apart than this form one bar, milliseconds. */
const gapMs = 3_000;

const goodEnds: ReadonlySet<string> = new Set(['done', 'already-done']);
const neutralEnds = new Set<string>(['interrupted', 'limited', 'needs-input', 'replan', 'silent']);

/** `live`: a pawl works on the run. */
export function viewTimeline(
  state: RunState,
  all: readonly Stamped<Fact>[],
  { live }: Readonly<{ live: boolean }>,
): Timeline {
  const endedAt = live ? undefined : (state.course.ended?.at ?? state.lastAt);
  const works = [...viewWorks(state).keys()];
  const factsOf = Map.groupBy(all, (fact) => ('task' in fact ? (fact.task ?? '') : ''));
  const sessionsOf = Map.groupBy(state.sessions.values(), ({ started: { task = '' } }) =>
    works.includes(task) ? task : '',
  );
  const barsOf = (id: string) => [
    ...sessionBars(sessionsOf.get(id) ?? [], endedAt),
    ...checkBars(factsOf.get(id) ?? [], endedAt),
  ];
  return {
    from: state.started.at,
    to: state.lastAt,
    works: new Map(works.map((id) => [id, barsOf(id).toSorted((a, b) => a.from.localeCompare(b.from))])),
    rests: [...state.rests, ...restsNow(state)].map(({ as, ...rest }) => ({
      ...rest,
      tone: as === 'stopped' ? 'plain' : 'warn',
    })),
    besides: listBesides(barsOf('')),
  };
}

/** Each reviewer has a row. */
function listBesides(bars: readonly Bar[]): Timeline['besides'] {
  const rows = Map.groupBy(bars, ({ who }) =>
    who === undefined ? 'Checks of the whole run' : `Session: ${who}`,
  );
  return [...rows].map(([label, bars]) => ({ label, bars }));
}

/** The run's end cuts off what is open. */
function sessionBars(sessions: readonly SessionState[], endedAt: string | undefined): readonly Bar[] {
  return sessions.flatMap(({ started, ended, overAt }): readonly Bar[] => {
    const { session, reviewer, role } = started;
    const to = overAt ?? endedAt;
    const outcome = ended?.outcome ?? '';
    const how = outcome === '' || outcome === 'silent' ? '' : `: ${outcome}`;
    const bar: Bar = {
      kind: 'session',
      from: started.at,
      session,
      who: reviewer ?? role,
      ...defined({ to }),
      tone: ended || to === undefined ? toneOfEnd(outcome, role) : 'warn',
      says: `session ${session} (${reviewer ?? role})${how}`,
    };
    return ended?.outcome === 'needs-input'
      ? [bar, { kind: 'question', from: ended.at, to: ended.at, tone: 'warn', says: 'asked a person' }]
      : [bar];
  });
}

/** A reviewer answers by schema and needs no marker. */
function toneOfEnd(outcome: string, role: string): Bar['tone'] {
  if (outcome === '' || goodEnds.has(outcome) || (outcome === 'silent' && role === 'review')) return 'plain';
  return neutralEnds.has(outcome) ? 'warn' : 'bad';
}

type Series = { from: number; to: number; checks: FactOf<'check-ended'>[] };

/** A bar for each series of checks; red as soon as one is. */
function checkBars(facts: readonly Stamped<Fact>[], endedAt: string | undefined): readonly Bar[] {
  const all: Series[] = [];
  const open = new Map<string, Stamped<FactOf<'check-started'>>>();
  let last: Series | undefined;
  for (const fact of facts) {
    if (fact.type === 'check-started') open.set(fact.check, fact);
    if (fact.type !== 'check-ended') continue;
    open.delete(fact.check);
    const to = Date.parse(fact.at);
    const from = to - fact.durationMs;
    if (!last || from - last.to >= gapMs) {
      last = { from, to, checks: [] };
      all.push(last);
    }
    last.to = to;
    last.checks.push(fact);
  }
  const running = endedAt === undefined ? [...open.values()].slice(-1) : [];
  return [
    ...all.map(barOf),
    ...running.map(
      ({ at, command }): Bar => ({ kind: 'checks', from: at, tone: 'plain', says: formatCommand(command) }),
    ),
  ];
}

function barOf({ from, to, checks }: Series): Bar {
  const red = checks.filter(({ result }) => result !== 'green');
  const count = formatCount(checks.length, 'check');
  return {
    kind: 'checks',
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
    tone: red.length === 0 ? 'good' : red.some((check) => toneOfCheck(check) === 'bad') ? 'bad' : 'warn',
    says: red[0] ? `${red.length} of ${count} not green: ${describeCheck(red[0]).name}` : `${count} green`,
  };
}
