// What is kept of a check's output, which failures count as the same, and how an agent is told.
import { stripVTControlCharacters } from 'node:util';
import { digestText } from '../digest.ts';
import { cutText } from '../git/run/names.ts';
import type { CheckRun } from './check-run.ts';

/** Of UTF-8, at each end; where it can, a line is kept whole. */
export type TextLimits = Readonly<{ headBytes: number; tailBytes: number }>;

export const outputLimits: TextLimits = { headBytes: 8192, tailBytes: 16_384 };

/** `omittedBytes`: left out before. */
export function boundText(
  text: string,
  { headBytes, tailBytes }: TextLimits,
  { omittedBytes = 0 } = {},
): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= headBytes + tailBytes) return text;
  const head = cutText(bytes, headBytes).replace(/(?<=\n)[^\n]+$/, '');
  const tail = tailOf(bytes, tailBytes);
  const middle = text.slice(head.length, text.length - tail.length);
  const lines = middle.split('\n').length - 1;
  const left = lines > 0 ? `${lines} ${lines === 1 ? 'line' : 'lines'}` : `${middle.length} characters`;
  const more = omittedBytes > 0 ? 'more than ' : '';
  return `${head}${head === '' || head.endsWith('\n') ? '' : '\n'}… (${more}${left} left out) …\n${tail}`;
}

/** Equal if the same failure is seen again, but for what differs between two runs of it. */
export function fingerprint(command: string, result: CheckRun['result'], output: string): string {
  return digestText(JSON.stringify([command, result, steadyLines(output)]), 16);
}

/** Bound of the whole text in UTF-8. */
const maxBytes = 24 * 1024;

/** `alreadyRed`: ids of checks red in the same way before the work: the agent need not have caused that. */
export function formatCheckEvidence(
  red: readonly CheckRun[],
  alreadyRed: ReadonlySet<string> = new Set(),
): string {
  const many = red.length === 1 ? '1 check' : `${red.length} checks`;
  const intro = `${many} did not pass when pawl ran them.`;
  const share = Math.floor((maxBytes * 0.96 - byteLength(intro)) / red.length);
  const sections = red.map((run) => formatFailed(run, alreadyRed, share));
  return bytesOf([intro, ...sections].join('\n\n'), maxBytes);
}

function formatFailed(run: CheckRun, alreadyRed: ReadonlySet<string>, share: number): string {
  const output = stripVTControlCharacters(run.output).replace(/\r+\n/g, '\n').trimEnd();
  const title = [
    `## ${inline(run.check.command)}: ${formatResult(run)}`,
    ...(run.reason && !output.includes(run.reason) ? [run.reason] : []),
    ...(alreadyRed.has(run.check.id) ? ['It failed in the same way before this task was begun.'] : []),
    ...(run.leftovers.length > 0 ? [formatLeftovers(run)] : []),
    `Whole output: ${run.log}`,
  ].join('\n');
  const fence = '`'.repeat(Math.max(3, longestRun(output) + 1));
  const room = Math.max(0, share - byteLength(title) - 2 * fence.length - 100);
  const text = boundText(output, {
    headBytes: Math.min(outputLimits.headBytes, Math.floor(room / 3)),
    tailBytes: Math.min(outputLimits.tailBytes, Math.floor((room * 2) / 3)),
  });
  return output === '' ? `${title}\nIt printed nothing.` : `${title}\n${fence}text\n${text}\n${fence}`;
}

function formatResult({ result, exitCode, signal, durationMs }: CheckRun): string {
  const after = `after ${(durationMs / 1000).toFixed(1)} s`;
  const code = exitCode === null ? '' : `, exit code ${exitCode}`;
  const words = {
    green: 'passed',
    red: `failed${signal === undefined ? code : `, ended by ${signal}`}, ${after}`,
    'could-not-run': `could not run${code}`,
    interrupted: `was interrupted ${after}`,
    'timed-out': `was ended by its clock ${after}`,
  };
  return words[result];
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

function tailOf(bytes: Buffer, maxBytes: number): string {
  let from = Math.max(0, bytes.length - maxBytes);
  // Not within a character.
  while (((bytes[from] ?? 0) & 0xc0) === 0x80) from += 1;
  const end = bytes.toString('utf8', from);
  return bytes[from - 1] === 10 ? end : end.replace(/^[^\n]*\n(?=.|\n)/, '');
}

/** Normalized, each once, sorted. */
function steadyLines(output: string): readonly string[] {
  const lines = output.split('\n').map((line) => steadyLine(line));
  return [...new Set(lines.filter((line) => line !== '' && !noise.some((shape) => shape.test(line))))].sort();
}

function steadyLine(line: string): string {
  const shown = stripVTControlCharacters(line.slice(0, lineLimit).replace(/\r+$/, '').replace(/^.*\r/s, ''));
  const steadied = shapes.reduce((text, [shape, word]) => text.replace(shape, word), shown);
  return steadied
    .replace(/([=─━═_*.#~-])\1{3,}/g, '$1$1$1')
    .replace(/\s+/g, ' ')
    .trim();
}

/** In UTF-16 units. */
const lineLimit = 4000;

/** In this order: a longer pattern before one that matches a part of it. */
const shapes: readonly (readonly [RegExp, string])[] = [
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, '<uuid>'],
  [
    /\b\d{4}[-/]\d{2}[-/]\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2})?(?:[.,]\d+)?(?:Z| ?[+-]\d{2}:?\d{2})?)?/g,
    '<date>',
  ],
  [
    /\b(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun),? (?:\d{1,2} )?(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]* ?[\d: ,]*(?:GMT|UTC)?[+-]?\d*/g,
    '<date>',
  ],
  [
    /(?:\/private)?(?:\/tmp|\/var\/tmp|\/var\/folders\/\w+\/\w+|\/dev\/shm|\/run\/user\/\d+)(?:\/[^\s:'"`)\],;]*)?/g,
    '<tmp>',
  ],
  [/[A-Z]:\\[^\s'"]*\\Temp\\[^\s:'"]*/gi, '<tmp>'],
  [/\b0x[0-9a-f]+\b/gi, '<address>'],
  [/@[0-9a-f]{6,16}\b/g, '@<address>'],
  [/\b(?=[0-9a-f]*\d)(?=[0-9a-f]*[a-f])[0-9a-f]{7,64}\b/g, '<hash>'],
  [/\b(?:localhost|127\.0\.0\.1|0\.0\.0\.0|\[::1?\]|::1):\d{2,5}\b/g, '<host>'],
  [/\b(pid|process|ppid|tid|thread|worker|port|seed|random seed|shard)([ :=#]{1,3})\d+/gi, '$1$2<n>'],
  [/^==\d+==/, '==<n>=='],
  [/^\[\d+\]/, '[<n>]'],
  [/(thread '[^']*') \(\d+\)/g, '$1'],
  [/\b(duration_ms|elapsed|time)([ :="]{1,3})\d+(?:\.\d+)?/gi, '$1$2<time>'],
  [
    /\b(?:\d+ ?h(?:ours?)? ?)?(?:\d+ ?m(?:in(?:utes?)?)? ?)?\d+(?:[.,]\d+)? ?(?:ns|µs|μs|us|ms|s|sec|secs|seconds?|milliseconds?|m|min|mins|minutes?)\b(?!\/)/g,
    '<time>',
  ],
  [/\b\d{1,2}:\d{2}:\d{2}(?:[.,]\d+)?(?: ?[AP]M)?/g, '<time>'],
  [/\b\d{13}\b/g, '<time>'],
  [/(\.[A-Za-z]\w{0,4})(?::\d+){1,2}\b/g, '$1:<line>'],
  [/(\.[A-Za-z]\w{0,4})\(\d+(?:,\d+)?\)/g, '$1(<line>)'],
  [/\b(lines?|column|col|at) \d+(?:[:,-] ?\d+)?/gi, '$1 <line>'],
  [/^(\s*)\d+:\d+(?=\s)/, '$1<line>'],
  [/^(\s*>?\s*)\d+ ?(?=[|│])/, '$1<line> '],
  [/\b(not ok|ok) \d+/g, '$1 <n>'],
  [
    /\b\d+( (?:tests? )?(?:passed|passing|skipped|pending|total|todo|ignored|filtered out|measured|deselected|warnings?))\b/gi,
    '<n>$1',
  ],
  [/\((?:\d+|\d+ tests?)\)/g, '(<n>)'],
  [/\b(Ran|tests|pass|suites|Tests run:|running|collected) \d+/g, '$1 <n>'],
  [/\b\d+(?:\.\d+)? ?%/g, '<n>%'],
];

/** About passing tests and progress: they come and go with caches. */
const noise: readonly RegExp[] = [
  /^(?:[✓✔√☑]|✅|PASS\b|ok\b|=== (?:RUN|PAUSE|CONT|NAME)\b|--- PASS\b|\[ *(?:OK|RUN) *\])/,
  /(?:\.\.\. ok|\bPASSED|\bPASSED \[ *<n>%\])$/,
  /^(?:Compiling|Downloading|Downloaded|Updating|Finished|Fresh|Checking|Blocking|Resolving|Fetching|Locking|Adding|Building) /,
  /^(?:npm (?:warn|notice)|yarn run v|info Visit|warning:? .*deprecated|go: downloading|Browserslist|\(node:\d+\)|\(Use `node --trace)/i,
  /^… \d+ bytes left out …$/,
  /^(?:Duration|Start at|Time:|Done in|real|user|sys|Ran all test suites)\b/i,
  /^(?:[.·=\-─━═_*~ ]|<n>%|<time>|\[<n>%\])+$/,
];
