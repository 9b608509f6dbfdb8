// Proposes checks from a project's own scripts, tasks and targets. None that watches for changes.
import { parseObject, type ReadFile } from '../../check/read-file.ts';
import { readRecipes } from '../../check/recipes.ts';
import { recipeTools, scriptsOf } from '../../check/scripts.ts';
import type { ProposedCheck } from './tool.ts';

type Scripts = ReadonlyMap<string, string>;

/** `runs` shows which others it includes. */
export type NamedCheck = ProposedCheck & Readonly<{ runs: string }>;

/** In the order they are proposed, the first name of each kind that there is. */
const wanted: readonly (readonly [kind: ProposedCheck['kind'], names: string])[] = [
  ['tests', 'test tests test:unit unit test:ci spec phpunit pest'],
  ['types', 'typecheck type-check types check-types check:types tsc ts phpstan analyse'],
  ['lint', 'lint lint:check eslint clippy vet rubocop phpcs cs'],
  ['formatting', 'format:check check:format fmt:check fmt-check format-check prettier:check'],
  // Only without tests by name: they usually run the others again.
  ['all checks', 'check verify ci validate'],
];

export function chooseScripts(
  scripts: Scripts,
  file: string,
  commandOf: (name: string) => string,
  word = 'script',
): readonly NamedCheck[] {
  const usable = withoutEndless(scripts);
  const chosen = wanted.flatMap(([kind, names]) => {
    const name = names.split(' ').find((each) => usable.has(each));
    return name === undefined ? [] : { kind, name };
  });
  const hasTests = chosen.some(({ kind }) => kind === 'tests');
  return chosen
    .filter(({ kind }) => kind !== 'all checks' || !hasTests)
    .map(({ kind, name }) => ({
      kind,
      command: commandOf(name),
      file,
      reason: `${kind}: ${word} ${name}`,
      runs: usable.get(name) ?? '',
    }));
}

const endless =
  /no test specified|(?:^|\s)--watch(?:All)?(?!=false)\b|\b(?:tsc|mocha|ava)\b.*\s-w\b|\btsx watch\b|\bng test\b(?!.*(?:--watch=false|--no-watch))|^\s*(?:nodemon|vite|webpack serve)\b/;
const runner = /^(?:npm|pnpm|yarn|bun|run-s|run-p|npm-run-all2?|concurrently|composer|deno)$/;

/** Neither endless nor calling one that is, judging by words. */
function withoutEndless(scripts: Scripts): Scripts {
  let left = [...scripts].filter(([, text]) => text.trim() !== '' && !endless.test(text));
  for (;;) {
    const names = new Set(left.map(([name]) => name));
    const kept = left.filter(([, text]) => {
      const words = text.split(/[\s;&|"'()]+/).map((word) => word.replace(/^(?:npm:|@)/, ''));
      const calls = words.some((word) => runner.test(word)) || /(?:^|\s|")npm:|^@/.test(text);
      return !calls || words.every((word) => !scripts.has(word) || names.has(word));
    });
    if (kept.length === left.length) return new Map(kept);
    left = kept;
  }
}

export function packageRunner(read: ReadFile): 'npm' | 'pnpm' | 'yarn' | 'bun' {
  const named = parseObject(read('package.json') ?? '')?.['packageManager'];
  const word = typeof named === 'string' ? /^(npm|pnpm|yarn|bun)@/.exec(named)?.[1] : undefined;
  const locks = [
    ['pnpm-lock.yaml', 'pnpm'],
    ['yarn.lock', 'yarn'],
    ['bun.lock', 'bun'],
    ['bun.lockb', 'bun'],
  ] as const;
  const found = locks.find(
    ([file, runs]) => word === runs || (word === undefined && read(file) !== undefined),
  );
  return found?.[1] ?? 'npm';
}

function packageCommand(run: string, name: string): string {
  return name === 'test' && run !== 'bun' ? `${run} test` : `${run} run ${name}`;
}

export function proposeScripts(read: ReadFile): readonly NamedCheck[] {
  const run = packageRunner(read);
  return [
    ...chooseScripts(scriptsOf(read('package.json')), 'package.json', (name) => packageCommand(run, name)),
    ...fromDeno(read),
    ...chooseScripts(scriptsOf(read('composer.json')), 'composer.json', (name) => `composer run ${name}`),
    ...fromRecipes(read),
  ];
}

function fromDeno(read: ReadFile): readonly NamedCheck[] {
  const file = ['deno.json', 'deno.jsonc'].find((name) => read(name) !== undefined);
  if (file === undefined) return [];
  const chosen = chooseScripts(scriptsOf(read(file), 'tasks'), file, (name) => `deno task ${name}`, 'task');
  const own = {
    kind: 'tests',
    command: 'deno test',
    file,
    reason: 'tests: Deno’s own runner',
    runs: '',
  } as const;
  return chosen.length > 0 ? chosen : [own];
}

function fromRecipes(read: ReadFile): readonly NamedCheck[] {
  return recipeTools.flatMap(({ tool, names }) => {
    const file = names.find((name) => read(name) !== undefined);
    if (file === undefined) return [];
    const texts = [...readRecipes(file, read(file) ?? '')].map(
      ([name, text]) => [name, `${tool}\n${text}`] as const,
    );
    return chooseScripts(new Map(texts), file, (name) => `${tool} ${name}`, 'target');
  });
}
