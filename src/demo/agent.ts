// The agent of `pawl demo`: behaves like `claude --print`, but plays the demo's script; no network, real commands and
// files.
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

type Line = Readonly<Record<string, unknown>>;

class DemoAgent {
  readonly #id = randomUUID();
  readonly #hasSchema: boolean;
  readonly #taken = new Set<DemoTurn>();
  #nonce: string | undefined;
  #replies = 0;
  #turn = new AbortController();
  #queue = Promise.resolve();

  constructor(args: readonly string[]) {
    this.#hasSchema = args.some((arg) => arg.startsWith('--json-schema'));
  }

  hear(message: string): void {
    this.#queue = this.#queue.then(() => this.#play(message));
  }

  control(id: unknown, subtype: unknown): void {
    if (subtype === 'interrupt') this.#turn.abort();
    const cost = (this.#replies * replyUsd).toFixed(4);
    const usage = `${this.#replies * 100} input, ${this.#replies * 20} output, 0 cache read, 0 cache write ($${cost})`;
    const response = {
      subtype: 'success',
      request_id: id,
      response: { text: `Estimated cost: $${cost}\nUsage by model:\n  scripted:  ${usage}` },
    };
    this.#print({ type: 'control_response', response });
  }

  /** Resolves once all messages are answered. */
  async end(): Promise<void> {
    await this.#queue;
  }

  async #play(message: string): Promise<void> {
    this.#turn = new AbortController();
    this.#nonce = /<<<PAWL:[A-Z_]+ ([0-9a-f]{4})>>>/.exec(message)?.[1] ?? this.#nonce;
    this.#print({ type: 'system', subtype: 'session_state_changed', state: 'running' });
    const about = { model: 'scripted', claude_code_version: version, apiKeySource: 'none' };
    this.#print({ type: 'system', subtype: 'init', session_id: this.#id, cwd: process.cwd(), ...about });
    const steps = this.#choose(message)?.steps ?? [{ say: 'The script has no turn for this message.' }];
    const played = await playSteps(
      {
        cwd: process.cwd(),
        signal: this.#turn.signal,
        nonce: this.#nonce,
        hasSchema: this.#hasSchema,
        print: (line) => this.#print(line),
        charge: () => {
          this.#replies += 1;
        },
      },
      steps,
    ).catch(() => undefined);
    this.#print(this.#resultOf(played));
    this.#print({ type: 'system', subtype: 'session_state_changed', state: 'idle' });
  }

  #choose(message: string): DemoTurn | undefined {
    const found = demoScript.turns.find((turn) => {
      const { when, once } = turn;
      if (once !== undefined && this.#taken.has(turn)) return false;
      if (typeof when === 'string') return message.includes(when);
      return this.#hasSchema && (when.without === undefined || !existsSync(when.without));
    });
    if (found) this.#taken.add(found);
    return found;
  }

  #resultOf(played: Played | undefined): Line {
    const [inputTokens, outputTokens] = [this.#replies * 100, this.#replies * 20];
    const none = { cacheReadInputTokens: 0, cacheCreationInputTokens: 0 };
    const cost = { total_cost_usd: this.#replies * replyUsd };
    const usage = {
      modelUsage: { scripted: { inputTokens, outputTokens, ...none, contextWindow: 1_000_000 } },
    };
    const end = played
      ? { subtype: 'success', is_error: false, terminal_reason: 'completed', result: played.text }
      : { subtype: 'error_during_execution', is_error: true, terminal_reason: 'aborted_streaming' };
    const structured = defined({ structured_output: played?.structured });
    return { type: 'result', session_id: this.#id, ...end, ...structured, ...cost, ...usage };
  }

  #print(line: Line | object): void {
    process.stdout.write(`${JSON.stringify(line)}\n`);
  }
}

function readLine(agent: DemoAgent, line: string): void {
  const value = JSON.parse(line);
  if (value.type === 'control_request') agent.control(value.request_id, value.request?.subtype);
  if (value.type !== 'user') return;
  const content: readonly { text?: string }[] = value.message?.content ?? [];
  agent.hear(content.map((block) => block.text ?? '').join('\n'));
}

async function start(args: readonly string[]): Promise<void> {
  if (args.includes('--version')) return void process.stdout.write(`${version}\n`);
  process.stdout.on('error', () => process.exit(1));
  const agent = new DemoAgent(args);
  for await (const line of createInterface({ input: process.stdin })) readLine(agent, line);
  await agent.end();
}

await start(process.argv.slice(2));

type DemoStage = Readonly<{
  cwd: string;
  /** Interrupts the turn. */
  signal: AbortSignal;
  /** Of the marker protocol; absent before a message has shown one. */
  nonce: string | undefined;
  hasSchema: boolean;
  print(line: object): void;
  /** For each reply that begins. */
  charge(): void;
}>;

/** Its last words, and its answer by schema. */
type Played = Readonly<{ text: string; structured?: unknown }>;

/** Rejects if interrupted. */
async function playSteps(stage: DemoStage, steps: readonly DemoStep[]): Promise<Played> {
  let text = '';
  stage.charge();
  for (const [at, step] of steps.entries()) {
    stage.signal.throwIfAborted();
    if ('think' in step) await pause(step.think, undefined, { signal: stage.signal });
    else if ('say' in step) {
      text = fillIn(step.say, stage.nonce);
      say(stage, { type: 'text', text });
    } else if ('answer' in step) {
      text = JSON.stringify(step.answer);
      if (!stage.hasSchema) say(stage, { type: 'text', text });
      return stage.hasSchema ? { text, structured: step.answer } : { text };
    } else {
      text = '';
      await callTool(stage, step, at);
      stage.charge();
    }
  }
  return { text };
}

async function callTool(
  stage: DemoStage,
  step: Extract<DemoStep, { bash: string } | { write: unknown }>,
  at: number,
): Promise<void> {
  const id = `toolu_${Date.now()}_${at}`;
  if ('bash' in step) {
    say(stage, { type: 'tool_use', id, name: 'Bash', input: { command: step.bash } });
    const { isError, output } = await runCommand(stage, step.bash);
    return endTool(stage, id, { content: output, isError });
  }
  const file = path.resolve(stage.cwd, step.write.file);
  say(stage, {
    type: 'tool_use',
    id,
    name: 'Write',
    input: { file_path: file, content: step.write.content },
  });
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, step.write.content);
  endTool(stage, id, { content: `File created successfully at: ${file}`, isError: false });
}

function runCommand(
  { cwd, signal }: DemoStage,
  command: string,
): Promise<Readonly<{ isError: boolean; output: string }>> {
  return new Promise((resolve) => {
    execFile('bash', ['-c', command], { cwd, signal }, (error, stdout, stderr) =>
      resolve({ isError: error !== null, output: `${stdout}${stderr}` }),
    );
  });
}

function say(stage: DemoStage, block: object): void {
  stage.print({
    type: 'assistant',
    message: { role: 'assistant', content: [block] },
    parent_tool_use_id: null,
  });
}

function endTool(
  stage: DemoStage,
  id: string,
  { content, isError }: Readonly<{ content: string; isError: boolean }>,
): void {
  const block = { type: 'tool_result', tool_use_id: id, content, is_error: isError };
  stage.print({ type: 'user', message: { role: 'user', content: [block] }, parent_tool_use_id: null });
}

/** Replaces `{{marker NAME text}}` by the marker's line; without a nonce, by one that does not count. */
function fillIn(text: string, nonce: string | undefined): string {
  const tail = nonce === undefined ? '' : ` ${nonce}`;
  return text.replace(
    /\{\{marker ([A-Z_]+) (.*?)\}\}/g,
    (_, name: string, rest: string) => `<<<PAWL:${name}${tail}>>> ${rest}`,
  );
}
