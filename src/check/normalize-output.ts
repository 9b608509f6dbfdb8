// Removes from a check's output what differs between two runs of the same failure.
import { stripVTControlCharacters } from 'node:util';

/** Normalized, each once, sorted. */
export function steadyLines(output: string): readonly string[] {
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
