// Formats the result of a check: alone, or several green ones on one line.
import { checkTimes } from '../../event/guard.ts';
import type { Event, FactOf, OfLane } from '../../event.ts';
import { isFlaky } from '../../journal/fold-checks.ts';
import { findWorkState } from '../../journal/state.ts';
import { cutToWidth } from '../../width.ts';
import { formatCommand, formatMs } from '../text/figure.ts';
import { type Line, line, span, spanned } from '../text/line.ts';
import { nameRunFile, type RenderContext } from './render-context.ts';

/** What it says is not said again while it fails in the same way. */
export function formatCheck(fact: FactOf<'check-ended'> & OfLane, context: RenderContext): readonly Line[] {
  const { verbose, state } = context;
  const { name, details } = describeCheck(fact);
  const ran = state && findWorkState(state, fact.task)?.checks;
  const before = ran?.findLast(({ check }) => check === fact.check);
  const isSame =
    fact.fingerprint !== undefined &&
    before?.fingerprint === fact.fingerprint &&
    before.when === fact.when &&
    before.result === fact.result;
  const tone = toneOfCheck(fact);
  const sign = fact.result === 'green' ? '✓ ' : fact.knownRed ? '! ' : '✗ ';
  const title = spanned(
    tone,
    [span(tone, sign), name, span('dim', `  ${details}${isSame ? ', as before' : ''}`)],
    1,
  );
  if (isVacuous(fact)) return [spanned('warn', ['! ', name, span('dim', `  ${provesNothing}`)], 1)];
  // The draft and the task's end show it.
  if (fact.result === 'interrupted' || isExpected(fact)) return verbose ? [{ ...title, tone: 'dim' }] : [];
  const log = verbose ? [line('dim', `its output: ${nameRunFile(context, fact.log)}`, 2)] : [];
  if (fact.result === 'green')
    return [
      ...(verbose ? [title, ...log] : []),
      ...(state && isFlaky(state.flakiness, fact) ? [flakyLine] : []),
    ];
  const says = isSame ? [] : (fact.says ?? '').split('\n').filter((text) => text !== '');
  return [title, ...says.map((text) => line('plain', text, 3)), ...log];
}

const provesNothing = 'is green before the work, so it proves nothing about it';

const flakyLine = line('warn', 'the same check was red before on exactly the same files: it is flaky', 2);

/** Green checks wait until something else happens in their lane. */
export function foldContext(context: RenderContext, event: Event & OfLane): RenderContext {
  const { lane = 0 } = event;
  const waiting = context.green?.get(lane) ?? [];
  const left = event.type === 'run-ended' || endsSeries(context, event) ? [] : waiting;
  const now = event.type === 'check-ended' && isInSeries(event) ? [...left, event] : left;
  if (now.length === waiting.length && now === left) return context;
  return { ...context, green: new Map(context.green).set(lane, now) };
}

function endsSeries({ green }: RenderContext, event: Event & OfLane): boolean {
  const first = green?.get(event.lane ?? 0)?.[0];
  if (first === undefined || event.type === 'activity') return false;
  if (event.type === 'check-started' || event.type === 'check-ended')
    return event.when !== first.when || (event.type === 'check-ended' && !isInSeries(event));
  return true;
}

/** Those that have waited for this event. */
export function formatGreen(context: RenderContext, event: Event & OfLane): readonly Line[] {
  const checks = endsSeries(context, event) ? (context.green?.get(event.lane ?? 0) ?? []) : [];
  const [first] = checks;
  if (first === undefined) return [];
  const where = whereOf(first);
  const parts = checks.flatMap(
    ({ command, name = cutToWidth(formatCommand(command), mostColumns), durationMs }, at) => [
      span('good', at === 0 ? '✓ ' : '  ✓ '),
      span('dim', `${name} ${formatMs(durationMs)}`),
    ],
  );
  return [spanned('dim', [...parts, span('dim', where === '' ? '' : `  ${where}`)], 1)];
}

/** Whether it waits to be shown with the next. */
function isInSeries(fact: FactOf<'check-ended'>): boolean {
  return fact.result === 'green' && !isExpected(fact);
}

/** A fix begins where other tasks' checks are green. */
function isVacuous({ when, check, task, result }: FactOf<'check-ended'>): boolean {
  return when === 'before' && result === 'green' && check.startsWith(`task:${task}:`);
}

/** Before the work a task's check should be red, and so should a finding's proof; a setup should work. */
function isExpected(fact: FactOf<'check-ended'>): boolean {
  const { when, check, result } = fact;
  if (when === 'fresh') return result === 'green';
  if (when === 'proof') return true;
  if (when === 'setup') return result === 'green' && !isTrialOfLane(fact);
  return when === 'draft' || when === 'before' || (when === 'lane' && check.startsWith('task:'));
}

/** A red that was expected or is excused is no alarm. */
export function toneOfCheck(fact: FactOf<'check-ended'>): 'good' | 'bad' | 'warn' | 'plain' {
  const { result, knownRed, when } = fact;
  if (result === 'green') return 'good';
  if (result === 'interrupted') return 'plain';
  return knownRed || when === 'baseline' || isExpected(fact) ? 'warn' : 'bad';
}

/** Its name in the plan, else its command; and in one line what became of it. */
export function describeCheck(fact: FactOf<'check-ended'>): Readonly<{ name: string; details: string }> {
  const { command, name = formatCommand(command), when, check } = fact;
  const isSetup = when === 'setup' && !isTrialOfLane(fact);
  const isNamed = fact.name !== undefined && when === 'baseline';
  const called = isNamed ? `${name}: ${formatCommand(command)}` : name;
  const where = `${whereOf(fact)}${ofOther(fact)}`;
  const isRed = fact.result !== 'green';
  const note =
    isRed && fact.knownRed ? ' (known red, excused)' : fact.alreadyRed ? ' (already red before)' : '';
  return {
    name: isSetup ? `worktree.${check}: ${called}` : called,
    details: `${formatResult(fact)}${where && ` ${where}`}${note}`,
  };
}

function whereOf(fact: FactOf<'check-ended'>): string {
  if (isTrialOfLane(fact)) return 'in a fresh lane';
  return fact.when === 'before' ? `${checkTimes.before} ${fact.task}` : checkTimes[fact.when];
}

/** One of the plan’s checks: the setup command itself has no number. */
function isTrialOfLane({ when, check }: FactOf<'check-ended'>): boolean {
  return when === 'setup' && /:\d+$/.test(check);
}

function ofOther({ check, task, when }: FactOf<'check-ended'>): string {
  const owner = when === 'after' ? /^task:(.+):\d+$/.exec(check)?.[1] : undefined;
  return owner === undefined || task === undefined || owner === task ? '' : `of task ${owner}`;
}

function formatResult(fact: FactOf<'check-ended'>): string {
  const took = formatMs(fact.durationMs);
  switch (fact.result) {
    case 'green':
      return `green in ${took}`;
    case 'red':
      return `red in ${took}, exit ${fact.exitCode ?? 'by a signal'}`;
    case 'could-not-run':
      return `could not run${formatWhyNot(fact.exitCode)}`;
    case 'interrupted':
      return `interrupted after ${took}`;
    case 'timed-out':
      return `timed out after ${took}`;
  }
}

function formatWhyNot(exitCode: number | null): string {
  if (exitCode === null) return '';
  const why = { 126: ' (a program is not executable)', 127: ' (a program was not found)' }[exitCode] ?? '';
  return `, exit ${exitCode}${why}`;
}

const mostColumns = 30;
