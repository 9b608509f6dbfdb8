// An agent that takes no time: a bash script that answers a prompt with Claude Code's lines, does a line of work, and
// notes when it was started, had said its last line, and was told to end.
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { shortestTurn } from '../helpers/shortest-turn.ts';

/** When one process of the agent lived, in ms of the wall clock. */
export type AgentLife = Readonly<{ beganMs: number; saidMs: number; endedMs: number }>;

/** An agent's command; removes its files at the end of its scope. */
export type LeanAgent = AsyncDisposable &
  Readonly<{
    command: string;
    /** The lives so far, in order. */
    lives(): Promise<readonly AgentLife[]>;
  }>;

/** What stands for the nonce, which only the prompt tells. */
const nonce = '@nonce@';

/** Makes the agent. `stream`: a file of lines it prints before its last ones. */
export async function makeLeanAgent(options: Readonly<{ stream?: string }> = {}): Promise<LeanAgent> {
  const folder = await mkdtemp(path.join(tmpdir(), 'pawl-lean-'));
  const command = path.join(folder, 'agent');
  const log = path.join(folder, 'lives');
  await writeFile(log, '');
  await writeFile(command, scriptOf(log, options.stream));
  await chmod(command, 0o755);
  return {
    command,
    lives: async () => readLives(await readFile(log, 'utf8')),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

function scriptOf(log: string, stream: string | undefined): string {
  const [opening, ending] = shortestTurn(`<<<PAWL:TASK_DONE ${nonce}>>> a line of work`);
  const print = (lines: string) => `printf '%s\\n' '${lines}'`;
  return `#!/bin/bash
began=$EPOCHREALTIME
IFS= read -r prompt
[[ $prompt =~ "<<<PAWL:"[A-Z_]+" "([0-9a-f]{4})">>>" ]]
ending='${ending}'
echo "work $began" >> work.txt
${print(opening)}
${stream === undefined ? ':' : `cat '${stream}'`}
printf '%s\\n' "\${ending//${nonce}/\${BASH_REMATCH[1]}}"
said=$EPOCHREALTIME
while IFS= read -r line; do :; done
echo "$began $said $EPOCHREALTIME" >> '${log}'
`;
}

function readLives(text: string): readonly AgentLife[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const [began = '', said = '', ended = ''] = line.split(' ');
      return { beganMs: 1000 * Number(began), saidMs: 1000 * Number(said), endedMs: 1000 * Number(ended) };
    });
}
