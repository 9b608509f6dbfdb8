// Parses the answer of a script that prints one finding per line: `src/a.ts:12 - the loop never ends`.
import type { Finding, Opinion } from '../event/finding.ts';
import { type Severity, severities } from '../event/severity.ts';

/** What a script prints when it has nothing to complain about. */
const nothing = /^\W*no issues found\W*$/im;

const bullet = /^[\s*•-]*(?:\d{1,4}[.)]\s+)?[\s*]*/;
const finding = /^[\s*-]*`?([^\s:`][^:`\n]*):(\d+)(?::\d+)?`?\s*(?:[-–—:]\s*)(.+)$/;

/** The findings of a text of lines; undefined when it neither names one nor says that there is none. */
export function readLines(text: string): Readonly<{ value: Opinion }> | undefined {
  const findings = text.split('\n').flatMap((line) => readLine(line) ?? []);
  if (findings.length > 0) return { value: { findings } };
  return nothing.test(text) ? { value: { findings: [] } } : undefined;
}

/** A severity that begins the line or its sentence, as `[major]` or `major:`, is taken as such; without one it is major. */
function readLine(line: string): Finding | undefined {
  const before = readSeverity(line.replace(bullet, ''));
  const [, file, number, words = ''] = finding.exec(before.rest) ?? [];
  if (file === undefined) return undefined;
  const { severity = before.severity, rest: title } = readSeverity(words);
  if (title.trim() === '') return undefined;
  return {
    file: file.trim(),
    line: Number(number),
    severity: severity ?? 'major',
    title: title.trim(),
    evidence: '',
    suggestion: '',
  };
}

function readSeverity(text: string): Readonly<{ severity?: Severity; rest: string }> {
  const [mark, word] = /^[[(]?(\w+)[\])]?[:\s]\s*/.exec(text) ?? [];
  const severity = severities.find((name) => name === word?.toLowerCase());
  return severity === undefined ? { rest: text } : { severity, rest: text.slice(mark?.length ?? 0) };
}
