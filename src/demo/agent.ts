// The agent of `pawl demo`: behaves like `claude --print`, but plays the demo's script; no network, real commands and
// files. One process is one session.
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { defined } from '../defined.ts';
import { type DemoStep, type DemoTurn, demoScript } from './demo-script.ts';

const version = '0.0.0 (pawl scripted agent)';

/** US dollars for a reply of 100 tokens read and 20 written, at list price. */
const replyUsd = 0.0008;

const session = randomUUID();
const hasSchema = process.argv.some((arg) => arg.startsWith('--json-schema'));
const taken = new Set<DemoTurn>();
/** Of the marker protocol; absent before a message has shown one. */
let nonce: string | undefined;
let replies = 0;
let turn = new AbortController();
let queue = Promise.resolve();

if (process.argv.includes('--version')) process.stdout.write(`${version}\n`);
else {
  process.stdout.on('error', () => process.exit(1));
  for await (const line of createInterface({ input: process.stdin })) hear(JSON.parse(line));
  await queue;
}

type Heard = Readonly<{
  type: string;
  request_id?: string;
  request?: Readonly<{ subtype: string }>;
  message?: Readonly<{ content: readonly Readonly<{ text?: string }>[] }>;
}>;

function hear({ type, request_id, request, message }: Heard): void {
  if (type === 'control_request') {
    if (request?.subtype === 'interrupt') turn.abort();
    print({ type: 'control_response', response: { subtype: 'success', request_id } });
  }
  const text = message?.content.map((block) => block.text ?? '').join('\n') ?? '';
  if (type === 'user') queue = queue.then(() => play(text));
}

async function play(message: string): Promise<void> {
  turn = new AbortController();
  nonce = /<<<PAWL:[A-Z_]+ ([0-9a-f]{4})>>>/.exec(message)?.[1] ?? nonce;
  print({ type: 'system', subtype: 'session_state_changed', state: 'running' });
  const about = { model: 'scripted', claude_code_version: version, apiKeySource: 'none' };
  print({ type: 'system', subtype: 'init', session_id: session, cwd: process.cwd(), ...about });
  const steps = choose(message)?.steps ?? [{ say: 'The script has no turn for this message.' }];
  const played = await playSteps(steps).catch(() => undefined);
  const end = played
    ? { subtype: 'success', is_error: false, terminal_reason: 'completed', ...played }
    : { subtype: 'error_during_execution', is_error: true, terminal_reason: 'aborted_streaming' };
  const tokens = { inputTokens: replies * 100, outputTokens: replies * 20 };
  const none = { cacheReadInputTokens: 0, cacheCreationInputTokens: 0 };
  const modelUsage = { scripted: { ...tokens, ...none, contextWindow: 1_000_000 } };
  print({ type: 'result', session_id: session, ...end, total_cost_usd: replies * replyUsd, modelUsage });
  print({ type: 'system', subtype: 'session_state_changed', state: 'idle' });
}

function choose(message: string): DemoTurn | undefined {
  const found = demoScript.turns.find((one) => {
    const { when, once } = one;
    if (once !== undefined && taken.has(one)) return false;
    if (typeof when === 'string') return message.includes(when);
    return hasSchema && (when.without === undefined || !existsSync(when.without));
  });
  if (found) taken.add(found);
  return found;
}

/** Its last words, and its answer by schema. Rejects if interrupted. */
async function playSteps(
  steps: readonly DemoStep[],
): Promise<Readonly<{ result: string; structured_output?: unknown }>> {
  let result = '';
  replies += 1;
  for (const [at, step] of steps.entries()) {
    turn.signal.throwIfAborted();
    if ('think' in step) await pause(step.think, undefined, { signal: turn.signal });
    else if ('say' in step) {
      result = fillIn(step.say);
      say({ type: 'text', text: result });
    } else if ('answer' in step) {
      result = JSON.stringify(step.answer);
      if (!hasSchema) say({ type: 'text', text: result });
      return { result, ...defined({ structured_output: hasSchema ? step.answer : undefined }) };
    } else {
      result = '';
      await callTool(step, `toolu_${Date.now()}_${at}`);
      replies += 1;
    }
  }
  return { result };
}

async function callTool(
  step: Extract<DemoStep, { bash: string } | { write: unknown }>,
  id: string,
): Promise<void> {
  if ('bash' in step) {
    say({ type: 'tool_use', id, name: 'Bash', input: { command: step.bash } });
    return endTool(id, await runCommand(step.bash));
  }
  const { file, content } = step.write;
  say({ type: 'tool_use', id, name: 'Write', input: { file_path: path.resolve(file), content } });
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, content);
  endTool(id, { content: `File created successfully at: ${file}`, is_error: false });
}

type ToolResult = Readonly<{ content: string; is_error: boolean }>;

function runCommand(command: string): Promise<ToolResult> {
  return new Promise((resolve) => {
    execFile('bash', ['-c', command], { signal: turn.signal }, (error, stdout, stderr) =>
      resolve({ content: `${stdout}${stderr}`, is_error: error !== null }),
    );
  });
}

function say(block: object): void {
  const message = { role: 'assistant', content: [block] };
  print({ type: 'assistant', message, parent_tool_use_id: null });
}

function endTool(id: string, result: ToolResult): void {
  const block = { type: 'tool_result', tool_use_id: id, ...result };
  print({ type: 'user', message: { role: 'user', content: [block] }, parent_tool_use_id: null });
}

function print(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

/** Replaces `{{marker NAME text}}` by the marker's line; without a nonce, by one that does not count. */
function fillIn(text: string): string {
  const tail = nonce === undefined ? '' : ` ${nonce}`;
  return text.replace(
    /\{\{marker ([A-Z_]+) (.*?)\}\}/g,
    (_, name: string, rest: string) => `<<<PAWL:${name}${tail}>>> ${rest}`,
  );
}
