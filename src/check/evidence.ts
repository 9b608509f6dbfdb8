// What is kept of a check's output, and how an agent is told.
import { stripVTControlCharacters } from 'node:util';
import { cutText } from '../git/run/names.ts';
import type { CheckRun } from './check-run.ts';
import { digestText } from './digest.ts';
import { steadyLines } from './normalize-output.ts';

/** At each end: lines, and bytes of UTF-8. The smaller bound applies. */
export type TextLimits = Readonly<{
  headLines: number;
  headBytes: number;
  tailLines: number;
  tailBytes: number;
}>;

export const outputLimits: TextLimits = {
  headLines: 100,
  headBytes: 8192,
  tailLines: 200,
  tailBytes: 16_384,
};

/** `omittedBytes`: left out before. */
export function boundText(text: string, limits: TextLimits, { omittedBytes = 0 } = {}): string {
  const headEnd = headOf(text, limits.headLines, limits.headBytes).length;
  const tailStart = text.length - tailOf(text, limits.tailLines, limits.tailBytes).length;
  if (headEnd >= tailStart) return text;
  const middle = text.slice(headEnd, tailStart);
  const lines = middle.split('\n').length - 1;
  const left = lines > 0 ? `${lines} ${lines === 1 ? 'line' : 'lines'}` : `${middle.length} characters`;
  const [head, tail] = [text.slice(0, headEnd), text.slice(tailStart)];
  const more = omittedBytes > 0 ? 'more than ' : '';
  return `${head}${head === '' || head.endsWith('\n') ? '' : '\n'}… (${more}${left} left out) …\n${tail}`;
}

/** Equal if the same failure is seen again; `normalize-output.ts` says what it ignores. */
export function fingerprint(command: string, result: CheckRun['result'], output: string): string {
  return digestText(JSON.stringify([command, result, steadyLines(output)])).slice(0, 16);
}

export type EvidenceNotes = Readonly<{
  /** Ids of checks red in the same way before the work: the agent need not have caused that. */
  alreadyRed?: ReadonlySet<string>;
  /** Further sentences, put first. */
  also?: readonly string[];
  /** Bound of the whole text in UTF-8; default 24 KiB. */
  maxBytes?: number;
}>;

export function formatCheckEvidence(runs: readonly CheckRun[], notes: EvidenceNotes = {}): string {
  const maxBytes = notes.maxBytes ?? 24 * 1024;
  const failed = runs.filter((run) => run.result !== 'green');
  const intro = bytesOf([...(notes.also ?? []), ...formatOverview(runs, failed)].join('\n'), maxBytes / 3);
  const share = Math.floor((maxBytes * 0.96 - byteLength(intro)) / Math.max(1, failed.length));
  const sections = failed.map((run) => formatFailed(run, notes, share));
  return bytesOf([intro, ...sections].join('\n\n'), maxBytes);
}

function formatOverview(runs: readonly CheckRun[], failed: readonly CheckRun[]): string[] {
  const green = runs.filter((run) => run.result === 'green');
  const left = green.filter((run) => run.leftovers.length > 0);
  return [
    formatCount(runs.length, failed.length),
    ...green.map((run) => `- passed: ${inline(run.check.command)}`),
    ...left.map((run) => formatLeftovers(run)),
  ];
}

/** Only failures are counted: the caller may leave out what passed. */
function formatCount(all: number, failed: number): string {
  if (all === 0) return 'No check was run.';
  if (failed === 0) return 'No check failed when pawl ran them.';
  return `${failed} ${failed === 1 ? 'check' : 'checks'} did not pass when pawl ran them.`;
}

function formatFailed(run: CheckRun, notes: EvidenceNotes, maxBytes: number): string {
  const output = stripVTControlCharacters(run.output).replace(/\r+\n/g, '\n').trimEnd();
  const title = [
    `## ${inline(run.check.command)}: ${formatResult(run)}`,
    ...(run.reason && !output.includes(run.reason) ? [run.reason] : []),
    ...(notes.alreadyRed?.has(run.check.id) ? ['It failed in the same way before this task was begun.'] : []),
    ...(run.check.knownRed ? ['The plan excuses this check: it is known to be red.'] : []),
    ...(run.leftovers.length > 0 ? [formatLeftovers(run)] : []),
    `Whole output: ${run.log}`,
  ].join('\n');
  const fence = '`'.repeat(Math.max(3, longestRun(output) + 1));
  const room = Math.max(0, maxBytes - byteLength(title) - 2 * fence.length - 100);
  const text = boundText(output, {
    ...outputLimits,
    headBytes: Math.min(outputLimits.headBytes, Math.floor(room / 3)),
    tailBytes: Math.min(outputLimits.tailBytes, Math.floor((room * 2) / 3)),
  });
  return output === '' ? `${title}\nIt printed nothing.` : `${title}\n${fence}text\n${text}\n${fence}`;
}

function formatResult(run: CheckRun): string {
  const after = `after ${(run.durationMs / 1000).toFixed(1)} s`;
  switch (run.result) {
    case 'green':
      return 'passed';
    case 'red':
      return run.exitCode === null
        ? `failed, ended by ${run.signal ?? 'a signal'} ${after}`
        : `failed with exit code ${run.exitCode} ${after}`;
    case 'could-not-run':
      return run.exitCode === null ? 'could not run' : `could not run, exit code ${run.exitCode}`;
    case 'interrupted':
      return `was interrupted ${after}`;
    case 'timed-out':
      return `was ended by its clock ${after}`;
  }
}

function formatLeftovers(run: CheckRun): string {
  const named = run.leftovers.slice(0, 5).map(({ pid, command }) => `${pid} ${clip(command, 80)}`);
  const more = run.leftovers.length > 5 ? ` and ${run.leftovers.length - 5} more` : '';
  return `${inline(run.check.command)} left processes running, which pawl ended: ${named.join('; ')}${more}.`;
}

function inline(command: string): string {
  const [first = '', ...rest] = command.trim().split('\n');
  const fence = '`'.repeat(longestRun(first) + 1);
  const pad = fence.length > 1 ? ' ' : '';
  return `${fence}${pad}${clip(first, 200)}${rest.length > 0 ? ' …' : ''}${pad}${fence}`;
}

const longestRun = (text: string): number =>
  Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
const clip = (text: string, length: number): string =>
  text.length <= length ? text : `${text.slice(0, length - 1).replace(/[\uD800-\uDBFF]$/, '')}…`;
const byteLength = (text: string): number => Buffer.byteLength(text);

function bytesOf(text: string, maxBytes: number): string {
  if (byteLength(text) <= maxBytes) return text;
  return `${cutText(Buffer.from(text), maxBytes - 30)}\n… (cut here)`;
}

function headOf(text: string, maxLines: number, maxBytes: number): string {
  const lines = text.split(/(?<=\n)/).slice(0, maxLines);
  return cutText(Buffer.from(lines.join('')), maxBytes);
}

function tailOf(text: string, maxLines: number, maxBytes: number): string {
  const lines = maxLines === 0 ? [] : text.split(/(?<=\n)/).slice(-maxLines);
  const bytes = Buffer.from(lines.join(''));
  let from = Math.max(0, bytes.length - maxBytes);
  // Not within a character.
  while (((bytes[from] ?? 0) & 0xc0) === 0x80) from += 1;
  return bytes.toString('utf8', from);
}
