// Which checks a project offers, read from the files its tools keep at the root. Proposals for a person to accept: it
// runs nothing and takes no script that would not end by itself.

import { parseJustfile } from './justfile.ts';
import { parseMakefile } from './makefile.ts';
import type { ReadFile } from './named.ts';
import { parseObject } from './package-script.ts';
import { type ProposedCheck, proposePython, proposeTools } from './propose-tool.ts';
import type { RecipeBook } from './recipe.ts';
import { parseTaskfile } from './taskfile.ts';

export type { ProposedCheck } from './propose-tool.ts';

/** The checks a project offers, the most telling first; `read` gets paths relative to the project's root. */
export function proposeChecks(read: ReadFile): readonly ProposedCheck[] {
  const proposals = [
    ...fromPackage(read),
    ...fromDeno(read),
    ...proposePython(read),
    ...fromRecipes(read),
    ...proposeTools(read),
  ];
  return proposals.filter(
    ({ command }, at) => proposals.findIndex((other) => other.command === command) === at,
  );
}

/** Script and target names in the order they are proposed, one of each group. */
const wanted: readonly (readonly [reason: string, names: readonly string[]])[] = [
  ['tests', ['test', 'tests', 'test:unit', 'unit', 'test:ci']],
  ['types', ['typecheck', 'type-check', 'types', 'check-types', 'check:types', 'tsc', 'ts']],
  ['lint', ['lint', 'lint:check', 'eslint', 'clippy', 'vet']],
  [
    'formatting',
    ['format:check', 'check:format', 'fmt:check', 'fmt-check', 'format-check', 'prettier:check'],
  ],
  ['all checks', ['check', 'verify', 'ci', 'validate']],
];

function choose(names: ReadonlySet<string>): readonly { name: string; reason: string }[] {
  return wanted.flatMap(([reason, group]) => {
    const name = group.find((each) => names.has(each));
    return name === undefined ? [] : [{ name, reason }];
  });
}

function fromPackage(read: ReadFile): ProposedCheck[] {
  const parsed = parseObject(read('package.json') ?? '');
  const scripts = Object.entries((parsed?.['scripts'] ?? {}) as Record<string, unknown>);
  const usable = scripts.filter(
    ([, text]) => typeof text === 'string' && text.trim() !== '' && !endless.test(text),
  );
  const run = runnerOf(parsed?.['packageManager'], read);
  return choose(new Set(usable.map(([name]) => name))).map(({ name, reason }) => ({
    command: name === 'test' && run !== 'bun' ? `${run} test` : `${run} run ${name}`,
    file: 'package.json',
    reason: `${reason}: script ${name}`,
  }));
}

/** npm's placeholder, and scripts that wait for changes. */
const endless = /no test specified|(?:^|\s)--watch(?:All)?(?!=false)\b|^\s*(?:nodemon|vite|webpack serve)\b/;

function runnerOf(packageManager: unknown, read: ReadFile): string {
  const named =
    typeof packageManager === 'string' ? /^(npm|pnpm|yarn|bun)@/.exec(packageManager)?.[1] : undefined;
  if (named !== undefined) return named;
  const locks = [
    ['pnpm-lock.yaml', 'pnpm'],
    ['yarn.lock', 'yarn'],
    ['bun.lock', 'bun'],
    ['bun.lockb', 'bun'],
  ] as const;
  return locks.find(([file]) => read(file) !== undefined)?.[1] ?? 'npm';
}

function fromDeno(read: ReadFile): ProposedCheck[] {
  const file = ['deno.json', 'deno.jsonc'].find((name) => read(name) !== undefined);
  if (file === undefined) return [];
  const tasks = (parseObject(read(file) ?? '')?.['tasks'] ?? {}) as Record<string, unknown>;
  const chosen = choose(new Set(Object.keys(tasks)));
  if (chosen.length === 0) return [{ command: 'deno test', file, reason: 'tests: Deno’s own runner' }];
  return chosen.map(({ name, reason }) => ({
    command: `deno task ${name}`,
    file,
    reason: `${reason}: task ${name}`,
  }));
}

const recipeFiles: readonly Readonly<{
  files: readonly string[];
  program: string;
  parse: (text: string) => RecipeBook;
}>[] = [
  { files: ['GNUmakefile', 'makefile', 'Makefile'], program: 'make', parse: parseMakefile },
  { files: ['justfile', 'Justfile', '.justfile'], program: 'just', parse: parseJustfile },
  { files: ['Taskfile.yml', 'Taskfile.yaml', 'taskfile.yml'], program: 'task', parse: parseTaskfile },
];

function fromRecipes(read: ReadFile): ProposedCheck[] {
  return recipeFiles.flatMap(({ files, program, parse }) => {
    const file = files.find((name) => read(name) !== undefined);
    if (file === undefined) return [];
    const { recipes } = parse(read(file) ?? '');
    return choose(new Set(recipes.keys())).map(({ name, reason }) => ({
      command: `${program} ${name}`,
      file,
      reason: `${reason}: target ${name}`,
    }));
  });
}
