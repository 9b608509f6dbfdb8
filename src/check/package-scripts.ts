// Pure. Which scripts of package.json, deno.json or composer.json a command runs, and where these files are.
import { findUpward, parseObject, placeOf, type ReadFile } from './read-file.ts';
import { programName, type SimpleCommand } from './simple-commands.ts';

/** `isBare`: the word may also name a program. `isSure`: nothing else could be meant. */
export type ScriptCall = Readonly<{
  names: readonly string[];
  file: string | undefined;
  folder: string;
  scripts: Readonly<Record<string, unknown>> | undefined;
  isSure: boolean;
}>;

/** Undefined if the command runs no script. */
export function readScriptCall(
  { program, args, folder }: SimpleCommand,
  read: ReadFile,
): ScriptCall | undefined {
  const name = programName(program);
  const words = args.filter((word, at) => !/^-/.test(word) && !valued.test(args[at - 1] ?? ''));
  const called = namesCalled(name, words, args);
  if (!called) return undefined;
  const at = args.find((_, index) => /^(?:--prefix|-C|--dir|--cwd)$/.test(args[index - 1] ?? ''));
  const start = at === undefined ? folder : placeOf(folder, at);
  const files = { deno: ['deno.json', 'deno.jsonc', 'package.json'], composer: ['composer.json'] }[name];
  const found = start === undefined ? undefined : findUpward(start, files ?? ['package.json'], read);
  const parsed = found && parseObject(found.text);
  const section = found?.file.includes('deno') ? 'tasks' : 'scripts';
  return {
    names: called,
    file: found?.file,
    folder: found?.folder ?? folder,
    scripts: found && !parsed ? undefined : ((parsed?.[section] ?? {}) as Readonly<Record<string, unknown>>),
    isSure:
      start !== undefined &&
      /^(?:npm|pnpm|node)$/.test(name) &&
      (name === 'node' || /^(?:run|run-script|test|t|tst)$/.test(words[0] ?? '')) &&
      !args.some((word) => /^(?:--if-present|-w|--workspaces?|-ws|-r|--recursive|-F|--filter)$/.test(word)),
  };
}

const valued = /^(?:--prefix|-C|--dir|--cwd|-w|--workspace|-F|--filter|--reporter|--loglevel|--run)$/;
const builtIn =
  /^(?:install|i|ci|add|remove|rm|up|update|link|exec|dlx|x|why|audit|outdated|publish|pack|config|cache|create|init|info|view|ls|list|version|set)$/;

function namesCalled(
  program: string,
  words: readonly string[],
  args: readonly string[],
): readonly string[] | undefined {
  const [verb = '', next = ''] = words;
  if (program === 'node') {
    const at = args.findIndex((word) => word === '--run' || word.startsWith('--run='));
    return at < 0 ? undefined : [args[at]?.split('=')[1] ?? args[at + 1] ?? ''];
  }
  if (/^(?:run-s|run-p|npm-run-all2?)$/.test(program)) return words;
  if (!/^(?:npm|pnpm|yarn|bun|deno|composer)$/.test(program) || verb === '') return undefined;
  if (/^(?:run|run-script|task)$/.test(verb)) return [next];
  if (builtIn.test(verb) || program === 'deno' || (program === 'bun' && verb === 'test')) return undefined;
  const name = /^(?:t|tst)$/.test(verb) ? 'test' : verb;
  return program === 'npm' && !/^(?:test|start|stop|restart)$/.test(name) ? undefined : [name];
}

/** What the call runs, with what runs before and after each; `*` in a name as npm-run-all has it. */
export function textsOfScripts({ names, scripts = {} }: ScriptCall): readonly string[] {
  const all = Object.keys(scripts);
  const meant = names.flatMap((name) => {
    const source = name.replace(/[.+?^${}()|[\]\\]/g, '\\$&').replace(/\*+/g, '.*');
    return name.includes('*') ? all.filter((other) => new RegExp(`^${source}$`).test(other)) : [name];
  });
  return meant
    .flatMap((name) => [`pre${name}`, name, `post${name}`])
    .flatMap((name) => (Object.hasOwn(scripts, name) ? [textOf(scripts[name])] : []));
}

function textOf(script: unknown): string {
  if (typeof script === 'string') return script;
  if (Array.isArray(script)) return script.join('\n');
  const command = (script as { command?: unknown } | null)?.command;
  return typeof command === 'string' ? command : '';
}
