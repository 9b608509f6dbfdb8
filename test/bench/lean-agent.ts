// An agent that takes no time: a bash script that answers a prompt with Claude Code's lines, does a line of work, and
// notes when it was started and had said its last line.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { shortestTurn } from '../helpers/shortest-turn.ts';
import { makeTempFolder } from '../helpers/temp-folder.ts';

/** When one process of the agent lived, in ms of the wall clock. */
export type AgentLife = Readonly<{ beganMs: number; saidMs: number }>;

/** An agent's command, and its lives so far, in order; removes its files at the end of its scope. */
export type LeanAgent = Disposable & Readonly<{ command: string; lives(): readonly AgentLife[] }>;

/** What stands for the nonce, which only the prompt tells. */
const nonce = '@nonce@';

/** Makes the agent. `stream`: a file of lines it prints before its last ones. */
export function makeLeanAgent(stream?: string): LeanAgent {
  const folder = makeTempFolder();
  const command = path.join(folder.path, 'agent');
  const log = path.join(folder.path, 'lives');
  writeFileSync(command, scriptOf(log, stream), { mode: 0o755 });
  const lives = () => readFileSync(log, 'utf8').trimEnd().split('\n').map(readLife);
  return { ...folder, command, lives };
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
echo "$began $said" >> '${log}'
`;
}

function readLife(line: string): AgentLife {
  const [beganMs = Number.NaN, saidMs = Number.NaN] = line
    .split(' ')
    .map((seconds) => 1000 * Number(seconds));
  return { beganMs, saidMs };
}
