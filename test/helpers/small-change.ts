// A change between two small projects in memory, and a ground for it: modules and tests are bodies of functions, a check is
// green if no test throws.
import { classify } from '../../src/check/classes.ts';
import type { Change, FileAt } from '../../src/proof/change.ts';
import type { CountedCheck } from '../../src/proof/judge-counts.ts';
import type { TrialEnd, Trials } from '../../src/proof/lab.ts';

export type Project = Readonly<Record<string, string>>;

/** The change from one project to another. */
export function changeOf(
  before: Project,
  after: Project,
  { compared = [], besideTests = [] }: Readonly<Partial<Record<'compared' | 'besideTests', string[]>>> = {},
): Change {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.flatMap((file) => {
    const [was, is] = [before[file], after[file]];
    if (was === is) return [];
    return {
      file,
      ...(was === undefined ? {} : { before: fileAt(was) }),
      ...(is === undefined ? {} : { after: fileAt(is) }),
      kind: compared.includes(file) ? ('support' as const) : classify(file),
      isBesideTests: besideTests.includes(file),
    };
  });
}

const fileAt = (text: string): FileAt => ({ mode: '100644', oid: `of ${text}`, text });

/** Trials of a project, with what was run, in order. */
export type SmallTrials = Trials & Readonly<{ ran: string[] }>;

export function trialsOf(
  project: Project,
  check: (files: Project, limitMs?: number) => TrialEnd['result'] = runTests,
): SmallTrials {
  const ran: string[] = [];
  return {
    ran,
    write: async (variant) => {
      const files: Record<string, string> = { ...project };
      for (const [file, at] of variant)
        if (at === undefined) delete files[file];
        else files[file] = (at as { text?: string }).text ?? '';
      return JSON.stringify(Object.entries(files).sort(([one], [other]) => one.localeCompare(other)));
    },
    run: async (tree, { what, limitMs }) => {
      ran.push(what);
      const files = Object.fromEntries(JSON.parse(tree) as [string, string][]);
      try {
        const result = check(files, limitMs);
        return { result, durationMs: 10, output: '', checks: [countOf(result)] };
      } catch (error) {
        return { result: 'red', durationMs: 10, output: String(error), checks: [countOf('red')] };
      }
    },
  };
}

const countOf = (result: string): CountedCheck => ({
  ...{ command: 'test', result },
  tests: { passed: 1, failed: result === 'green' ? 0 : 1, skipped: 0 },
});

/** Evaluates `src/*.js` into one object, and each `test/*.js` with it and the settings in `test.config.js`. */
export function runTests(files: Project): TrialEnd['result'] {
  const settings = JSON.parse(files['test.config.js'] ?? '{}') as { only?: string };
  const lib: Record<string, unknown> = {};
  for (const [file, text] of Object.entries(files))
    if (file.startsWith('src/')) new Function('lib', text)(lib);
  for (const [file, text] of Object.entries(files)) {
    if (!file.startsWith('test/') || (settings.only !== undefined && !file.includes(settings.only))) continue;
    try {
      new Function('lib', 'is', text)(lib, (one: unknown, other: unknown) => {
        if (one !== other) throw new Error(`AssertionError: ${String(one)} is not ${String(other)}`);
      });
    } catch {
      return 'red';
    }
  }
  return 'green';
}
