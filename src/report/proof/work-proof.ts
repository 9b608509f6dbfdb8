// What `pawl prove` says of a branch: lines, Markdown, SARIF.
import type { Experiments, TaskProof } from '../../proof/task-proof.ts';
import { formatExperiments } from '../events/format-work.ts';
import { formatCount, shortOid } from '../text/figure.ts';
import { type Line, line } from '../text/line.ts';
import { sarifLocation, sarifOf } from '../text/sarif.ts';

/** `output`: of a check that is red on the work. */
export type WorkProof = TaskProof & Readonly<{ experiments: Experiments; files: number; output: string }>;

export type ProvedWork = WorkProof &
  Readonly<{ base: string; head: string; checks: readonly string[]; checksFrom: string }>;

export function formatWorkProof(proved: ProvedWork): readonly Line[] {
  const { word, reasons, experiments, output } = proved;
  return [
    line(word === 'unchecked' ? 'warn' : 'good', `${word}: ${reasons.join('; ')}`),
    line('plain', whatOf(proved), 1),
    line('plain', `by ${proved.checks.map((check) => `\`${check}\``).join(', ')} (${proved.checksFrom})`, 1),
    ...formatExperiments(experiments).map((text) => line('plain', text, 1)),
    ...endOf(output, 20).map((text) => line('dim', text, 2)),
  ];
}

const endOf = (output: string, most: number): readonly string[] =>
  output === '' ? [] : output.trimEnd().split('\n').slice(-most);

export function writeWorkProof(proved: ProvedWork): string {
  const lines = formatWorkProof({ ...proved, output: '' }).slice(1);
  const end = endOf(proved.output, 40).join('\n');
  const output = end === '' ? '' : `\n\`\`\`\n${end}\n\`\`\`\n`;
  return `**${proved.word}**: ${proved.reasons.join('; ')}\n\n${lines.map(({ text }) => `- ${text}\n`).join('')}${output}`;
}

function whatOf({ base, head, files }: ProvedWork): string {
  return `${shortOid(head)} against ${shortOid(base)}: ${formatCount(files, 'changed file')}`;
}

const rules = {
  'green-by-configuration': 'The checks are red with the base’s configuration.',
  'old-expectation': 'An old test or fixture was changed, and is red as it was.',
  'decides-nothing': 'The checks are green whatever this test says.',
  unproven: 'No test misses this change.',
} as const;

export function proofToSarif(proved: ProvedWork, version: string): object {
  const names = Object.keys(rules) as (keyof typeof rules)[];
  return sarifOf({
    version,
    id: `pawl/prove/${proved.head}`,
    rules: names.map((id) => ({ id, shortDescription: { text: rules[id] } })),
    results: notesOf(proved).map(({ rule, file, from, to }) => ({
      ruleId: rule,
      ruleIndex: names.indexOf(rule),
      level: rule === 'unproven' ? 'note' : 'warning',
      message: { text: rules[rule] },
      locations: [sarifLocation(file, from, to)],
    })),
    properties: { word: proved.word, reasons: proved.reasons },
  });
}

type Note = Readonly<{ rule: keyof typeof rules; file: string; from: number; to: number }>;

function notesOf({ experiments: { configs, redefined, deaf, hunks } }: ProvedWork): readonly Note[] {
  return [
    ...configs.map((file): Note => ({ rule: 'green-by-configuration', file, from: 1, to: 1 })),
    ...redefined.map((spot): Note => ({ rule: 'old-expectation', ...spot })),
    ...deaf.map((file): Note => ({ rule: 'decides-nothing', file, from: 1, to: 1 })),
    ...hunks.unproven.map((spot): Note => ({ rule: 'unproven', ...spot })),
  ];
}
