// The bars of the timeline: sessions, checks, waits, pauses and stops, from facts and sessions.
import { defined } from '../../defined.ts';
import type { Fact, FactOf, Stamped } from '../../event.ts';
import type { SessionState } from '../../journal/state.ts';
import { formatCommand, formatCount } from '../../report/text/figure.ts';
import type { Bar } from '../view.ts';

/** Checks no further apart than this form one bar, milliseconds. */
const gapMs = 3_000;

const betweenRows: ReadonlySet<Fact['type']> = new Set(['attempt-started', 'correction-sent', 'round-ended']);

const goodEnds: ReadonlySet<string> = new Set(['done', 'already-done']);
const neutralEnds: ReadonlySet<string> = new Set([
  'interrupted',
  'limited',
  'needs-input',
  'replan',
  'silent',
]);

/** A bar for each session; one that was cut off by the run's end ends with it. */
export function sessionBars(sessions: readonly SessionState[], endedAt: string | undefined): readonly Bar[] {
  return sessions.map(({ started, ended }) => {
    const to = ended?.at ?? endedAt;
    const outcome = ended?.outcome;
    const who = started.reviewer ?? started.role;
    // A reviewer answers by schema and needs no marker.
    const isGood = goodEnds.has(outcome ?? '') || (outcome === 'silent' && started.role === 'review');
    return {
      kind: 'session',
      from: started.at,
      ...defined({ to }),
      tone:
        outcome === undefined
          ? to === undefined
            ? 'plain'
            : 'warn'
          : isGood
            ? 'plain'
            : neutralEnds.has(outcome)
              ? 'warn'
              : 'bad',
      says: `session ${started.session} (${who})${outcome === undefined || outcome === 'silent' ? '' : `: ${outcome}`}`,
      session: started.session,
    };
  });
}

/** A bar for each series of checks; red as soon as one of them is. */
export function checkBars(facts: readonly Stamped<Fact>[], endedAt: string | undefined): readonly Bar[] {
  const rows: { from: number; to: number; checks: FactOf<'check-ended'>[] }[] = [];
  const open = new Map<string, Stamped<FactOf<'check-started'>>>();
  let isRowOpen = false;
  for (const fact of facts) {
    if (fact.type === 'check-started') open.set(fact.check, fact);
    // Anything in between, above all a session, ends the series.
    if (betweenRows.has(fact.type)) isRowOpen = false;
    if (fact.type !== 'check-ended') continue;
    open.delete(fact.check);
    const to = Date.parse(fact.at);
    const from = to - fact.durationMs;
    const last = rows.at(-1);
    if (last && isRowOpen && from - last.to < gapMs) {
      last.to = to;
      last.checks.push(fact);
    } else rows.push({ from, to, checks: [fact] });
    isRowOpen = true;
  }
  const closed = rows.map(({ from, to, checks }): Bar => {
    const red = checks.filter(({ result }) => result !== 'green');
    const [first] = red;
    return {
      kind: 'checks',
      from: new Date(from).toISOString(),
      to: new Date(to).toISOString(),
      tone:
        red.length === 0
          ? 'good'
          : red.every(({ knownRed, when }) => knownRed || when === 'before' || when === 'lane')
            ? 'warn'
            : 'bad',
      says: first
        ? `${red.length} of ${formatCount(checks.length, 'check')} not green: ${formatCommand(first.command)}`
        : `${formatCount(checks.length, 'check')} green`,
    };
  });
  const running = endedAt === undefined ? [...open.values()].slice(-1) : [];
  return [
    ...closed,
    ...running.map(
      ({ at, command }): Bar => ({ kind: 'checks', from: at, tone: 'plain', says: formatCommand(command) }),
    ),
  ];
}

/** Waits, pauses and the time between an end and the next start. */
export function restBars(facts: readonly Stamped<Fact>[]): readonly Bar[] {
  const bars: Bar[] = [];
  const open = new Map<Bar['kind'], Bar>();
  const close = (kind: Bar['kind'], to: string): void => {
    const bar = open.get(kind);
    if (bar) bars.push({ ...bar, to });
    open.delete(kind);
  };
  for (const { at, ...fact } of facts) {
    if (fact.type === 'waiting') open.set('wait', { kind: 'wait', from: at, tone: 'warn', says: fact.text });
    if (fact.type === 'waited') close('wait', at);
    if (fact.type === 'paused') open.set('pause', { kind: 'pause', from: at, tone: 'warn', says: 'paused' });
    if (fact.type === 'intervention' && fact.kind === 'continue') {
      close('pause', at);
      close('wait', at);
    }
    if (fact.type === 'run-ended' || fact.type === 'run-resumed') {
      for (const kind of ['wait', 'pause'] as const) close(kind, at);
      close('stop', at);
    }
    if (fact.type === 'run-ended' && !fact.finished)
      open.set('stop', { kind: 'stop', from: at, tone: 'plain', says: 'stopped' });
  }
  return [...bars, ...[...open.values()].filter(({ kind }) => kind !== 'stop')];
}
