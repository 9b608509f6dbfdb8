// Formats the result of a check: alone, or several green ones on one line.
import type { FactOf } from '../../event.ts';
import { formatCommand, formatMs } from '../text/figure.ts';
import { type Line, line, type Span, span, spanned, type Tone } from '../text/line.ts';
import { cutToWidth } from '../text/width.ts';

type CheckContext = Readonly<{
  verbose: boolean;
  /** Where all its output is. */
  file: string;
  /** The same check, the last time that it ran for its task. */
  before: FactOf<'check-ended'> | undefined;
}>;

/** What it says is not said again while it fails in the same way. */
export function formatCheck(
  fact: FactOf<'check-ended'>,
  { verbose, file, before }: CheckContext,
): readonly Line[] {
  const log = line('dim', `its output: ${file}`, 2);
  const tone = toneOf(fact);
  const isSame =
    fact.fingerprint !== undefined &&
    before?.fingerprint === fact.fingerprint &&
    before.when === fact.when &&
    before.result === fact.result;
  const asBefore = isSame ? [span('dim', ', as before')] : [];
  const title = spanned(tone, [span(tone, signOf(fact)), ...partsOf(fact), ...asBefore], 1);
  // The draft and the task's end show it.
  if (fact.result === 'interrupted' || isExpected(fact)) return verbose ? [{ ...title, tone: 'dim' }] : [];
  if (fact.result === 'green') return verbose ? [title, log] : [];
  const says = (isSame ? '' : (fact.says ?? ''))
    .split('\n')
    .filter((text) => text !== '')
    .map((text) => line('plain', text, 3));
  return [title, ...says, ...(verbose ? [log] : [])];
}

export function formatGreen(checks: readonly FactOf<'check-ended'>[]): readonly Line[] {
  const [first] = checks;
  if (first === undefined) return [];
  const where = whereOf(first);
  const parts = checks.flatMap(({ command, name = nameCheck(command), durationMs }) => [
    span('good', '  ✓ '),
    span('dim', `${name} ${formatMs(durationMs)}`),
  ]);
  const [, ...rest] = parts;
  return [
    spanned('dim', [span('good', '✓ '), ...rest, ...(where === '' ? [] : [span('dim', `  ${where}`)])], 1),
  ];
}

/** Whether it waits to be shown with the next: `formatGreen`. */
export function isInSeries(fact: FactOf<'check-ended'>): boolean {
  return fact.result === 'green' && !isExpected(fact);
}

/** Before the work a task's check should be red, and so should a finding's proof; a setup should work. */
export function isExpected(fact: FactOf<'check-ended'>): boolean {
  const { when, check, result } = fact;
  if (when === 'fresh') return result === 'green';
  if (when === 'proof') return true;
  if (when === 'setup') return result === 'green' && !isTrialOfLane(fact);
  return when === 'draft' || when === 'before' || (when === 'lane' && check.startsWith('task:'));
}

function toneOf({ result, knownRed, when }: FactOf<'check-ended'>): Tone {
  if (result === 'green') return 'good';
  return knownRed || when === 'baseline' ? 'warn' : 'bad';
}

function signOf({ result, knownRed }: FactOf<'check-ended'>): string {
  if (result === 'green') return '✓ ';
  return knownRed ? '! ' : '✗ ';
}

function partsOf(fact: FactOf<'check-ended'>): readonly Span[] {
  const isSetup = fact.when === 'setup' && !isTrialOfLane(fact);
  const what = isSetup ? `worktree.${fact.check}: ` : '';
  const note =
    fact.knownRed && fact.result !== 'green'
      ? ' (known red, excused)'
      : fact.alreadyRed
        ? ' (already red before)'
        : '';
  const details = [formatResult(fact), `${whereOf(fact)}${ofOther(fact)}`].filter((text) => text !== '');
  return [span('plain', `${what}${calledIn(fact)}`), span('dim', `  ${details.join(' ')}${note}`)];
}

function calledIn({ command, name, when }: FactOf<'check-ended'>): string {
  if (name === undefined) return formatCommand(command);
  return when === 'baseline' ? `${name}: ${formatCommand(command)}` : name;
}

function whereOf(fact: FactOf<'check-ended'>): string {
  if (isTrialOfLane(fact)) return 'in a fresh lane';
  return fact.when === 'before' ? `before task ${fact.task}` : whenName[fact.when];
}

const whenName = {
  setup: '',
  lane: 'in a lane',
  draft: 'before any work',
  baseline: 'on the untouched tree',
  before: 'before the work',
  after: '',
  verify: 'on the commit',
  'at-end': 'at the end',
  fresh: 'in a fresh checkout',
  proof: 'as a finding’s proof',
} as const;

/** One of the plan’s checks: the setup command itself has no number. */
export function isTrialOfLane({ when, check }: Pick<FactOf<'check-started'>, 'when' | 'check'>): boolean {
  return when === 'setup' && /:\d+$/.test(check);
}

function ofOther({ check, task, when }: FactOf<'check-ended'>): string {
  const owner = when === 'after' ? /^task:(.+):\d+$/.exec(check)?.[1] : undefined;
  return owner === undefined || task === undefined || owner === task ? '' : ` of task ${owner}`;
}

export function formatResult(fact: FactOf<'check-ended'>): string {
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

/** `npx vitest run test/limits/bucket.test.ts` is `vitest bucket.test.ts`; at most 30 columns. */
function nameCheck(command: string): string {
  const text = formatCommand(command);
  const words = text.replace(prefix, '').split(/\s+/);
  if (/[|;&<>$`'"()]/.test(text)) return cutToWidth(text, mostColumns);
  const [program = '', ...rest] = words;
  const names = [program.replace(/^.*\//, '')];
  const script = /^(?:npm|pnpm|yarn|bun|make|just|task|cargo|go)$/.test(program) ? rest.shift() : undefined;
  if (script !== undefined) names.push(script === 'run' ? (rest.shift() ?? script) : script);
  const about = rest.findLast((word) => /[./]/.test(word) && /[^./]/.test(word) && !word.startsWith('-'));
  if (about !== undefined) names.push(about.replace(/\/+$/, '').replace(/^.*\//, ''));
  return cutToWidth(names.join(' '), mostColumns);
}

const mostColumns = 30;

/** Variables, and programs that only run another one. */
const prefix =
  /^(?:\w+=\S*\s+)*(?:(?:npx|pnpm exec|pnpm dlx|yarn exec|bunx|uv run|poetry run|pipenv run|bundle exec|(?:\S*\/)?python[\d.]* -m)\s+(?:--?\S+\s+)*)?/;
