// What one command of a shell text depends on: strips wrappers, then asks each finder in turn. It follows nothing further.
import { nameInterpreted, nameScriptFile, nameShellInput } from './interpreter.ts';
import { type Found, join, nothing, type ReadFile } from './named.ts';
import { namePackageScripts } from './package-script.ts';
import { nameRecipes } from './recipe-tool.ts';
import { nameInstalled, nameRunnerFiles } from './runner-files.ts';
import type { SimpleCommand } from './shell-words.ts';
import { nameTestConfig } from './test-config.ts';
import { programName, unwrap } from './wrapper.ts';

/** What a command names when it runs in the folder. */
export function nameCommand(command: SimpleCommand, folder: string, read: ReadFile): Found {
  const inner = unwrap(command.words);
  if (!inner) return nothing;
  const program = programName(inner.program);
  const where = { folder, read };
  const configs = [...inner.through, program].flatMap((name) =>
    [nameTestConfig, nameRunnerFiles].flatMap((find) =>
      find(name, name === program ? inner.args : [], where),
    ),
  );
  const isOwn =
    /[/]|\.\w+$/.test(inner.program) &&
    !/(?:^|\/)(?:node_modules\/\.bin|\.?venv\/bin|vendor\/bin)\//.test(inner.program);
  const installed = isOwn ? [] : nameInstalled(program, where);
  const own = isOwn ? nameScriptFile(inner.program, where) : nothing;
  const named =
    own.definitions.length > 0
      ? own
      : join([
          nameShellInput(program, inner.args, { ...where, input: command }) ??
            namePackageScripts(program, inner.args, where) ??
            nameRecipes(program, inner.args, where) ??
            nothing,
          nameInterpreted(program, inner.args, where) ?? nothing,
          nameQuoted(program, inner.args, folder),
        ]);
  return join([{ definitions: [...configs, ...installed], runs: [] }, named]);
}

/** Commands that other programs take as words of theirs: `concurrently "npm run x" npm:y`, `find -exec`. */
function nameQuoted(program: string, args: readonly string[], folder: string): Found {
  return { definitions: [], runs: quotedTexts(program, args).map((text) => ({ text, folder })) };
}

function quotedTexts(program: string, args: readonly string[]): readonly string[] {
  if (/^(?:concurrently|conc|start-server-and-test|nix-shell|watchexec|nodemon|su)$/.test(program))
    return args.map((arg) => arg.replace(/^npm:/, 'npm run '));
  if (program === 'find' && args.includes('-exec')) return [args.slice(args.indexOf('-exec') + 1).join(' ')];
  if (program === 'coverage' && args[0] === 'run') return [`python ${args.slice(1).join(' ')}`];
  return [];
}
