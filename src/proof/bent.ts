// Pure. What a diff takes from tests and checkers, for reviewers and the receipt; lines that only moved say nothing.
import { parsePatch } from 'diff';
import { classify, isRunnableTest } from '../check/classes.ts';
import type { FactOf } from '../event.ts';
import { orElse } from '../or-else.ts';
import { shorten } from '../shorten.ts';

/** `line`: from 1, in the new file. */
export type BentNote = Readonly<Omit<FactOf<'tamper-noted'>, 'type' | 'task'>>;

type ChangedName = Readonly<{ file: string; status: string }>;
type AddedLine = Readonly<{ text: string; line: number }>;
type ChangedLines = Readonly<{
  file: string;
  from: string;
  removed: readonly string[];
  added: readonly AddedLine[];
}>;

/** `diff`: with `a/` and `b/`; its last file may be cut off. */
export function findBent(diff: string, changed: readonly ChangedName[]): readonly BentNote[] {
  const files = diff.split(/^(?=diff --git )/m).flatMap(readFile);
  const gone = new Set(changed.flatMap(({ file, status }) => (status === 'deleted' ? file : [])));
  const tests = files.filter(
    ({ file, from }) => !gone.has(file) && (mayHoldTests(file) || mayHoldTests(from)),
  );
  return [
    ...findRemoved(files, gone),
    ...findFewer(tests, { what: 'test', pattern: declaration }),
    ...findFewer(tests, { what: 'assertion', pattern: assertion }),
    ...files.flatMap((file) =>
      additions.flatMap(({ detail, pattern, where }) =>
        where(file.file) ? addedBeyondRemoved(file, pattern).map(noteOf(file.file, detail)) : [],
      ),
    ),
    ...changed.flatMap(({ file }) => (ciFile.test(file) ? [{ file, detail: 'CI definition changed' }] : [])),
  ];
}

const isTest = (file: string): boolean => classify(file) === 'test' || /(?:^|\/)conftest\.py$/.test(file);

/** Rust declares and skips tests within its sources. */
const mayHoldTests = (file: string): boolean => isTest(file) || file.endsWith('.rs');
const isCode = (file: string): boolean => !/\.(?:mdx?|rst|txt|json|ya?ml)$/.test(file);

const ciFile =
  /^(?:\.(?:github|gitea|forgejo)\/(?:workflows|actions)|\.(?:circleci|buildkite|teamcity|semaphore|woodpecker|azure-pipelines)|\.gitlab\/ci)\/|^\.?(?:gitlab-ci|travis|drone|woodpecker|appveyor|cirrus|azure-pipelines|bitbucket-pipelines|buildspec|cloudbuild|codemagic|bitrise)[^/]*\.ya?ml$|^Jenkinsfile[^/]*$/;

const comment = /^\s*(?:\/\/(?!\s*[+:])|#(?!!?\[)|\*|<!--)/;

const declaration =
  /^\s*(?:await\s+|void\s+)?(?:it|test|specify|Deno\.test|t\.test)(?:\.\w+(?:\([^)]*\)|`[^`]*`)?)*\s*[(<`]|^\s*(?:async\s+)?def\s+test|^\s*func\s+(?:\([^)]*\)\s*)?(?:Test|Benchmark|Fuzz|Example)\w*\s*\(|^\s*@(?:[\w.]+\.)?(?:\w*Test|TestFactory|TestTemplate)\b(?!\s*\([^)]*enabled\s*=\s*false)|^\s*#\[(?:\w+::)*(?:test|rstest|test_case|\w+_test)\b|^\s*public\s+(?:function|void)\s+test|^\s*\[(?:Fact|Theory|Test\w*)\b|^\s*@test\s+["']/;

const assertion =
  /\bassert\w*\b|\bexpect\w*!?\s*[.(]|\.should\b|\bshould[.(]|\bverify\s*\(|\brequire\.\w+\(t\b|\b[tb]\.(?:is|not|equals?|same|ok|notOk|true|false|truthy|falsy|deepEqual|like|match|regex|throws\w*|(?:Error|Fatal|Fail)\w*)\s*\(/;

const skipped =
  /(?<![\w.$])(?:it|test|describe|suite|context|specify)\.(?:skip|skipIf|runIf|todo|fixme)\b|(?<![\w.$])x(?:it|test|describe|context|specify)\s*[(.]|(?<![\w$])(?:[tbf]|ctx|context|testInfo|this)\.(?:skip|todo|Skip|Skipf|SkipNow)\s*\(|[{,]\s*(?:skip|todo)\s*:\s*(?:true|['"`])|\bmark\.(?:skip|skipif|xfail)\b|\bpytest\.(?:skip|xfail|importorskip)\s*\(|@(?:unittest\.)?(?:skip|skipIf|skipUnless|expectedFailure)\b|\bself\.skipTest\b|\bSkipTest\b|^\s*(?:collect_ignore|collect_ignore_glob|__test__)\s*\+?=|(?<![\w.])[XP](?:It|Describe|Context)\s*\(|^\s*\/\/\s*(?:go:build\s+(?:ignore|never|false)|\+build\s+ignore)\b|#\[ignore\b|#!?\[cfg\((?:any\(\)|FALSE|false)\)\]|@(?:Disabled|Ignore)\b|\benabled\s*=\s*false|\bassume(?:True|False|That)\s*\(|\bAssumptions?\.\w/;

const focused =
  /(?<![\w.$])(?:it|test|describe|suite|context|specify)\.only\b|(?<![\w.$])f(?:it|describe|test|context)\s*\(|[{,]\s*only\s*:\s*true|(?<![\w.])F(?:It|Describe|Context)\s*\(/;

const silenced =
  /(?:\/\/|\/\*|#)\s*(?:eslint-disable|(?:oxlint|tslint|stylelint|jshint|deno-lint)[-:](?:disable|ignore)|biome-ignore|@ts-(?:ignore|expect-error|nocheck)|(?:istanbul|c8|v8)\s+ignore|noqa|type:\s*ignore|(?:pyright|mypy|ty):\s*(?:ignore|basic)|pylint:\s*(?:disable|skip-file)|(?:ruff|flake8|fmt):\s*(?:noqa|off)|pragma:\s*no\s*cover|#?nosec|nolint|lint:(?:file-)?ignore|NOSONAR|NOPMD|noinspection|ktlint-disable|CHECKSTYLE[.:]OFF)\b|\bas\s+(?:any|unknown\s+as)\b|#!?\[(?:cfg_attr\([^\]]*,\s*)?(?:allow|expect|coverage)\s*\(|@(?:file:)?Suppress/i;

const additions = [
  { detail: 'test skipped', pattern: skipped, where: mayHoldTests },
  { detail: '“only” added', pattern: focused, where: mayHoldTests },
  { detail: 'lint or type error suppressed', pattern: silenced, where: isCode },
] as const;

function readFile(chunk: string): readonly ChangedLines[] {
  const [patch] = orElse(() => parsePatch(chunk), []);
  if (!patch?.newFileName && !patch?.oldFileName) return [];
  const nameOf = (name: string | undefined): string => (name ?? '').replace(/^[ab]\//, '');
  const from = nameOf(patch.oldFileName);
  const removed: string[] = [];
  const added: AddedLine[] = [];
  for (const { lines, newStart } of patch.hunks) {
    let line = newStart;
    for (const text of lines) {
      if (text.startsWith('-')) removed.push(text.slice(1));
      if (text.startsWith('+')) added.push({ text: text.slice(1), line });
      if (/^[ +]/.test(text)) line += 1;
    }
  }
  const file = patch.isDelete || patch.newFileName === '/dev/null' ? from : nameOf(patch.newFileName);
  return [{ file, from: from === '/dev/null' ? file : from, removed, added }];
}

function findRemoved(files: readonly ChangedLines[], gone: ReadonlySet<string>): readonly BentNote[] {
  const lost = files.filter(
    ({ file, from }) => file !== from && isRunnableTest(from) && !isRunnableTest(file),
  );
  return [
    ...[...gone].filter(isTest).map((file) => ({ file, detail: 'test removed' })),
    ...lost.map(({ file, from }) => ({ file, detail: `test ${from} renamed to what no runner starts` })),
  ];
}

function findFewer(
  files: readonly ChangedLines[],
  { what, pattern }: Readonly<{ what: 'test' | 'assertion'; pattern: RegExp }>,
): readonly BentNote[] {
  const isMeant = (text: string): boolean => pattern.test(text) && !comment.test(text);
  const meant = files.map(({ file, removed, added }) => ({
    file,
    removed: removed.filter(isMeant).map((text) => text.trim()),
    added: added.flatMap(({ text }) => (isMeant(text) ? [text.trim()] : [])),
  }));
  const spare = meant.flatMap(({ added }) => added);
  const isLost = (text: string): boolean => {
    const at = spare.indexOf(text);
    if (at >= 0) spare.splice(at, 1);
    return at < 0;
  };
  return meant
    .map((one) => ({ ...one, lost: one.removed.filter(isLost) }))
    .flatMap(({ file, removed, added, lost }) => {
      const fewer = lost.length - Math.max(0, added.length - (removed.length - lost.length));
      const changed = what === 'test' ? 0 : lost.length;
      const [count, how] = fewer > 0 ? [fewer, 'fewer'] : [changed, 'changed'];
      const detail = `${count} ${what}${count === 1 ? '' : 's'} ${how}`;
      return count === 0 ? [] : { file, detail, quote: clip(lost[0] ?? '') };
    });
}

function addedBeyondRemoved({ removed, added }: ChangedLines, pattern: RegExp): readonly AddedLine[] {
  const before = removed.filter((text) => pattern.test(text)).length;
  return added.filter(({ text }) => pattern.test(text)).slice(before);
}

const noteOf =
  (file: string, detail: string) =>
  ({ text, line }: AddedLine): BentNote => ({ file, detail, line, quote: clip(text) });

const clip = (text: string): string => shorten(text.trim(), 120);
