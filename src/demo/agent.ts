// The agent of `pawl demo`: plays the demo's script as a session that prints Claude Code's stream-json; no network, real
// commands and files.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { type DemoStep, demoTurns } from './demo-script.ts';

const message = await text(process.stdin);
const [, nonce = ''] = /<<<PAWL:[A-Z_]+ ([0-9a-f]{4})>>>/.exec(message) ?? [];
const turn = demoTurns.find(({ when, without = '' }) => message.includes(when) && !existsSync(without));
let result = '';
for (const [at, step] of (turn?.steps ?? [{ say: 'The script has no turn for this message.' }]).entries())
  await play(step, `toolu_${at}`);
const how = { subtype: 'success', is_error: false, terminal_reason: 'completed' };
print({ type: 'result', ...how, result, total_cost_usd: 0 });

async function play(step: DemoStep, id: string): Promise<void> {
  await pause(300);
  if ('say' in step) {
    result = step.say.replace('NONCE', nonce);
    tell('assistant', { type: 'text', text: result });
  } else if ('bash' in step) {
    tell('assistant', { type: 'tool_use', id, name: 'Bash', input: { command: step.bash } });
    const { stdout, stderr, status } = spawnSync('bash', ['-c', step.bash], { encoding: 'utf8' });
    endTool(id, `${stdout}${stderr}`, status !== 0);
  } else {
    const { file, content } = step.write;
    const input = { file_path: path.resolve(file), content };
    tell('assistant', { type: 'tool_use', id, name: 'Write', input });
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, content);
    endTool(id, `File created successfully at: ${file}`, false);
  }
}

function endTool(id: string, content: string, isError: boolean): void {
  tell('user', { type: 'tool_result', tool_use_id: id, content, is_error: isError });
}

function tell(role: 'assistant' | 'user', block: object): void {
  print({ type: role, message: { role, content: [block] }, parent_tool_use_id: null });
}

function print(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
