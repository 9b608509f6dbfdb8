// Where Claude Code's own installer puts its program: below the home, reached by a shell's alias, which no program sees.
import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import { orElse } from '../or-else.ts';

/** The command, or that program if the command is `claude` and no folder of PATH has it. */
export function orLocalClaude(
  command: string,
  { home, searchPath = '' }: Readonly<{ home: string; searchPath?: string | undefined }>,
): string {
  if (command !== 'claude') return command;
  if (searchPath.split(':').some((folder) => mayRun(path.join(folder, command)))) return command;
  const local = path.join(home, '.claude', 'local', 'claude');
  return mayRun(local) ? local : command;
}

function mayRun(file: string): boolean {
  return orElse(() => {
    accessSync(file, constants.X_OK);
    return true;
  }, false);
}
