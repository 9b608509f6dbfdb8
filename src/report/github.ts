// A run as GitHub Actions shows it. Workflow commands as documented by GitHub in October 2026.
import { wordsOf } from './findings/findings.ts';
import type { FindingItem } from './findings/judge-findings.ts';
import { cleanLines, cleanText } from './text/line.ts';
import type { RunView } from './view/run-view.ts';

type Level = 'error' | 'warning' | 'notice';

type Annotation = Readonly<{ level: Level; title: string; text: string; file?: string; line?: number }>;

/** GitHub shows ten of one level per step. */
const mostOfLevel = 10;

/** Worst first: why it ended as it did, then findings that wait for a person. */
export function annotationsOf(view: RunView): readonly string[] {
  const all = [...endings(view), ...(view.review?.unsettled ?? []).map(annotationOf)];
  return (['error', 'warning', 'notice'] as const).flatMap((level) =>
    all
      .filter((each) => each.level === level)
      .slice(0, mostOfLevel)
      .map(commandOf),
  );
}

/** The runner takes no command until `allowCommands` with the same word. */
export function stopCommands(word: string): string {
  return `::stop-commands::${word}`;
}

export function allowCommands(word: string): string {
  return `::${word}::`;
}

function endings({ exit = 0, exitText, reasons = [], hints = [] }: RunView): readonly Annotation[] {
  if (exit === 0) return [];
  return [{ level: 'error', title: `pawl: ${exitText}`, text: [...reasons, ...hints].join('\n') }];
}

function annotationOf(finding: FindingItem): Annotation {
  const { id, severity, level, file, line, standing, reviewers } = finding;
  return {
    level: level === 'note' ? 'notice' : level,
    title: `${id} ${severity}${standing === 'disputed' ? ', disputed' : ''} (${reviewers.join(', ')})`,
    text: wordsOf(finding).join('\n'),
    file: file.replace(/^(?:\.\/)+/, ''),
    ...(line === 0 ? {} : { line }),
  };
}

function commandOf({ level, title, text, file, line }: Annotation): string {
  const properties = Object.entries({ file, line, title }).flatMap(([name, value]) =>
    value === undefined ? [] : [`${name}=${escapeProperty(String(value))}`],
  );
  return `::${level} ${properties.join(',')}::${escapeData(text)}`;
}

function escapeData(text: string): string {
  return cleanLines(text).replaceAll('%', '%25').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
  return cleanText(text).replaceAll('%', '%25').replaceAll(':', '%3A').replaceAll(',', '%2C');
}
