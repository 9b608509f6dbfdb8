// `pawl completions <shell>` and the program its script calls: the only user of the completion library.
import { readdirSync } from 'node:fs';
import path from 'node:path';
import tab from '@bomb.sh/tab/commander';
import type { Command as Commander } from 'commander';
import { listNamedRuns } from '../journal/run-files.ts';
import { orElse } from '../or-else.ts';
import { type CliContext, print } from '../start/context.ts';
import { findPlace } from '../start/locate.ts';
import type { Command } from './command.ts';

type None = Readonly<Record<string, unknown>>;

const planFolders = ['docs/plans', 'plans', '.'];

export function printCompletions(tree: () => Commander): Command<None> {
  return async (context, [shell = 'bash']) => {
    if (shell === 'bash') print(context, bashScript);
    else growTree(tree()).setup('pawl', 'pawl', shell);
    return 0;
  };
}

/**
 * The library's own needs the package bash-completion, sets constants that cannot be set twice, and evaluates what is
 * typed.
 */
const bashScript = `# bash completion for pawl
_pawl() {
    local cur=\${COMP_WORDS[COMP_CWORD]} line
    COMPREPLY=()
    while IFS= read -r line; do
        line=\${line%%$'\\t'*}
        case $line in
            :* | '') ;;
            "$cur"*) COMPREPLY+=("$line") ;;
        esac
    done < <(pawl complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _pawl pawl`;

/** Answers the script: one candidate per line for the last word. */
export function complete(commander: () => Commander): Command<None> {
  return async (context, words) => {
    const tree = growTree(commander());
    const addPlans = (add: (value: string, says: string) => void) => {
      for (const file of findPlans(context)) add(file, 'plan');
    };
    const addRuns: typeof addPlans = (add) => {
      addPlans(add);
      const place = findPlace(context.cwd);
      for (const { run, plan } of place ? listNamedRuns(place.commonDir) : []) add(run, plan);
    };
    for (const { arguments: words } of tree.commands.values()) {
      const [plan, run] = [words.get('plan'), words.get('run')];
      if (plan) plan.handler = addPlans;
      if (run) run.handler = addRuns;
    }
    // `pawl plan.md` runs it.
    tree.argument('plan', addPlans);
    tree.parse([...words]);
    return 0;
  };
}

// The library prints with console.log.
function growTree(program: Commander): ReturnType<typeof tab> {
  const hidden = program.commands.findIndex((command) => command.name() === 'complete');
  // The library adds a command of that name, which only the script's form needs.
  (program.commands as unknown[]).splice(hidden, 1);
  const tree = tab(program);
  tree.commands.delete('complete');
  return tree;
}

function findPlans({ cwd }: CliContext): string[] {
  const found = planFolders.flatMap((folder) =>
    orElse(() => readdirSync(path.join(cwd, folder)), [])
      .filter((name) => name.endsWith('.md'))
      .map((name) => path.join(folder, name)),
  );
  return found.filter(
    (file) => !/(^|\/)(README|CHANGELOG|LICENSE|SECURITY|CONTRIBUTING|CLAUDE|AGENTS)\.md$/.test(file),
  );
}
