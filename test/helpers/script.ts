// The scripted agent as a command: writes a script to a file and makes a launcher that plays it. The launcher takes
// Claude Code's arguments, so it stands wherever `claude` does.
import { rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Script, Turn } from '../fixtures/agents/scripted/script.ts';
import { builtFile } from './built-pawl.ts';
import { makeTempFolder } from './temp-folder.ts';

/** A scripted agent that can be started; removes its files at the end of its scope. */
export type ScriptedAgent = Disposable &
  Readonly<{
    /** Absolute path of the launcher: the agent's command. */
    command: string;
    /** Replaces what it plays; turns that answer once overall are unused again. */
    rewrite(turns: readonly Turn[]): Promise<void>;
  }>;

/** Makes a scripted agent from its turns. */
export async function makeAgent(turns: readonly Turn[]): Promise<ScriptedAgent> {
  const folder = makeTempFolder();
  const scriptFile = path.join(folder.path, 'script.json');
  const command = path.join(folder.path, 'agent');
  const rewrite = async (next: readonly Turn[]) => {
    await rm(`${scriptFile}.used`, { recursive: true, force: true });
    await writeFile(scriptFile, JSON.stringify({ turns: next } satisfies Script));
  };
  await rewrite(turns);
  // exec keeps the process id: signals and exit codes are the agent's own.
  const program = `'${process.execPath}' '${builtFile('scripted-agent')}' --script '${scriptFile}'`;
  await writeFile(command, `#!/bin/sh\nexec ${program} "$@"\n`, { mode: 0o755 });
  return { ...folder, command, rewrite };
}
