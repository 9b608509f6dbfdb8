// The leanest agent that can be killed at anything: a bash script that speaks Claude Code's lines, does one step of work
// for each message, and notes outside of the repository what it did.
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { shortestTurn } from '../helpers/shortest-turn.ts';

/** What a message of one task, of a reviewer (`review`), of a fixer (`fix`), of a planner (`replan`) or of who finalizes (`finalize`) makes the agent run: bash, with `$task` and `$turn` set; the repository is the folder it stands in. `marker=NAME` says another than TASK_DONE, `answer=JSON` or a plan, `draft=TEXT`, stands before it. */
export type Work = Readonly<Record<string, string>>;

const claim = '@claim@';
const answer = '@answer@';
const cost = 9_876_543_210;

/** Writes the agent's program into a folder; what each of its sessions did is in the file `did` beside it. */
export async function writeAgent(folder: string, work: Work): Promise<string> {
  const command = path.join(folder, 'agent');
  await writeFile(path.join(folder, 'did'), '');
  await writeFile(command, scriptOf(path.join(folder, 'did'), work), { mode: 0o755 });
  return command;
}

/** A session's note is a file of its own in the repository: whatever becomes of the session, it must not be lost. Who only reviews leaves none. */
function scriptOf(did: string, work: Work): string {
  const text = `${answer}${claim}`;
  const [opening, ending] = shortestTurn(text, { total_cost_usd: cost });
  const cases = Object.entries(work).map(([task, steps]) => `    ${task}) ${steps} ;;`);
  return `#!/bin/bash
turn=0
ending='${ending}'
while IFS= read -r line; do
  [[ $line == *'"type":"user"'* ]] || continue
  [[ $line =~ "<<<PAWL:"[A-Z_]+" "([0-9a-f]{4})">>>" ]] && nonce=\${BASH_REMATCH[1]}
  [[ $turn == 0 && $line =~ "### Task "([0-9]+) ]] && task=\${BASH_REMATCH[1]}
  [[ $turn == 0 && $line == *'Reviewers have looked at the work'* ]] && task=fix
  [[ $turn == 0 && $line == *'Your answer is a single JSON value'* ]] && task=review
  [[ $turn == 0 && $line == *'You give it its last form'* ]] && task=finalize
  [[ $turn == 0 && $line == *'You plan anew'* ]] && task=replan
  turn=$((turn + 1))
  printf '%s\\n' '${opening}'
  note=notes/$task-$$-$EPOCHREALTIME
  [[ $task == review || $task == replan ]] || { mkdir -p notes && echo "$turn" > "$note" && echo "note $note" >> '${did}'; }
  marker=TASK_DONE
  answer=
  draft=
  case $task in
${cases.join('\n')}
  esac
  claim="<<<PAWL:$marker $nonce>>> a step of work"
  [[ -z $answer ]] || answer='\`\`\`json\\n'\${answer//\\"/\\\\\\"}'\\n\`\`\`\\n'
  [[ -z $draft ]] || claim="<<<PAWL:PLAN_DRAFT $nonce>>>\\\\n$draft<<<PAWL:END $nonce>>>"
  said=\${ending//${claim}/"$claim"}
  said=\${said//${answer}/"$answer"}
  echo "said $$ 0.0$turn" >> '${did}'
  printf '%s\\n' "\${said//${cost}/0.0$turn}"
done
`;
}
