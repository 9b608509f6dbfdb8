// One process of the scripted agent, from its first message to its exit: what it hears on stdin and by signals, and the turns
// it plays. It reads no command line.
import { randomUUID } from 'node:crypto';
import { chooseTurn, findNonce, unanswered } from './choose-turn.ts';
import { answerControl } from './control.ts';
import { recall, remember } from './memory.ts';
import { type AgentOptions, claimer } from './options.ts';
import { playTurn } from './play.ts';
import { type Ending, resultLine } from './result.ts';
import { newSession, noTokens, type Session, type Tokens } from './session.ts';
import type { Stage } from './stage.ts';
import { initLine, stateLine } from './stream.ts';

/** One process of the agent: from its first message to its exit. */
export class Conversation {
  readonly #options: AgentOptions;
  readonly #session: Session;
  readonly #claim: ReturnType<typeof claimer>;
  readonly #taken: Set<number>;
  readonly #heard: string[] = [];
  readonly #ignored = new Set<string>();
  #queue: string[] = [];
  #turn: AbortController | undefined;
  #isClosed = false;
  #isDeaf = false;
  #exitCode: number | undefined;
  #lastCode = 0;

  constructor(options: AgentOptions) {
    this.#options = options;
    const { model, permissionMode, scriptFile, resume } = options;
    const id = resume ?? options.sessionId ?? randomUUID();
    this.#session = newSession({ id, cwd: process.cwd(), model, permissionMode });
    const past = resume === undefined ? undefined : recall(scriptFile, resume);
    this.#taken = new Set(past?.taken);
    this.#claim = claimer(scriptFile, this.#taken);
    if (past) Object.assign(this.#session.total, past.total);
    else if (resume !== undefined) this.#forget();
    for (const [name, code] of [
      ['SIGTERM', 143],
      ['SIGHUP', 129],
      ['SIGINT', 0],
    ] as const) {
      process.on(name, () => this.#onSignal(name, code));
    }
  }

  /** There is no such conversation: the process says so and ends. */
  #forget(): void {
    const errors = [`No conversation found with session ID: ${this.#session.id}`];
    this.#print({
      type: 'result',
      subtype: 'error_during_execution',
      is_error: true,
      total_cost_usd: 0,
      errors,
    });
    void this.#exit(1);
  }

  #remember(total: Readonly<Tokens>): void {
    const { scriptFile } = this.#options;
    remember(scriptFile, this.#session.id, { total: { ...total }, taken: [...this.#taken] });
  }

  /** Takes one line of stdin; a line that is not JSON ends the process at once. */
  hearLine(line: string): void {
    if (line.trim() === '' || this.#isDeaf) return;
    let value: Record<string, unknown>;
    try {
      value = JSON.parse(line) as Record<string, unknown>;
    } catch {
      void this.#exit(1, `Error parsing streaming input line: ${line.slice(0, 200)}`);
      return;
    }
    if (value['type'] === 'control_request') this.#hearControl(value);
    if (value['type'] === 'user') this.hearMessage(messageText(value), value['priority'] === 'now');
  }

  /** Takes one message of the user: a prompt, a correction, or, while a turn runs, steering. */
  hearMessage(message: string, isUrgent = false): void {
    this.#queue.push(message);
    if (this.#turn === undefined) void this.#playQueue();
    else if (isUrgent) this.#turn.abort('now');
  }

  /** No more input comes: the process ends after the turn that runs. */
  close(): void {
    this.#isClosed = true;
    if (this.#turn === undefined) void this.#exit(this.#lastCode);
  }

  #hearControl(value: Record<string, unknown>): void {
    const { response, effect } = answerControl(value, this.#session);
    this.#print(response);
    if (effect === 'interrupt') this.#turn?.abort('interrupt');
    if (effect === 'end') this.#endWith(this.#lastCode, 'terminate');
  }

  async #playQueue(): Promise<void> {
    for (let message = this.#queue.shift(); message !== undefined; message = this.#queue.shift()) {
      await this.#play(message);
      if (this.#exitCode !== undefined) return await this.#exit(this.#exitCode);
    }
    if (this.#isClosed) await this.#exit(this.#lastCode);
  }

  async #play(message: string): Promise<void> {
    const { script, env, hasSchema } = this.#options;
    const startedMs = Date.now();
    const hasStates = env['CLAUDE_CODE_EMIT_SESSION_STATE_EVENTS'] === '1';
    this.#turn = new AbortController();
    this.#heard.push(message);
    if (hasStates) this.#print(stateLine(this.#session, 'running'));
    this.#print(initLine(this.#session));
    const index = chooseTurn(script, { text: message, hasSchema }, this.#claim);
    // What it cost is remembered at an end in order alone.
    this.#remember(noTokens);
    const steps = index === undefined ? unanswered : (script.turns[index]?.steps ?? unanswered);
    const { ending, turns } = await playTurn(this.#stage(this.#turn.signal), steps);
    const wasTerminated = this.#turn.signal.reason === 'terminate';
    this.#turn = undefined;
    if (wasTerminated || this.#isDeaf) return;
    this.#lastCode = isError(ending) ? 1 : 0;
    const result = resultLine(this.#session, ending, { startedMs, turns });
    this.#print(result);
    if (this.#options.output === 'json') process.stdout.write(`${JSON.stringify(result)}\n`);
    if (this.#options.output === 'text') process.stdout.write(`${String(result['result'] ?? '')}\n`);
    if (hasStates) this.#print(stateLine(this.#session, 'idle'));
  }

  #stage(signal: AbortSignal): Stage {
    const { env } = this.#options;
    return {
      session: this.#session,
      signal,
      nonce: findNonce(this.#heard),
      hasSchema: this.#options.hasSchema,
      hasPieces: this.#options.hasPieces,
      maxRetries: Number(env['CLAUDE_CODE_MAX_RETRIES'] ?? 10),
      commandTimeoutMs: Number(env['BASH_DEFAULT_TIMEOUT_MS'] ?? 120_000),
      print: (line) => this.#print(line),
      write: (chunk) => this.#write(chunk),
      fold: () => this.#heard.push(...this.#queue.splice(0)),
      goDeaf: () => {
        this.#isDeaf = true;
      },
      ignore: (name) => this.#ignored.add(name),
      exit: (code, stderr) => this.#exit(code, stderr),
    };
  }

  #onSignal(name: string, code: number): void {
    if (this.#ignored.has(name)) return;
    this.#endWith(code, name === 'SIGINT' ? 'interrupt' : 'terminate');
  }

  #endWith(code: number, reason: 'interrupt' | 'terminate'): void {
    if (this.#turn === undefined || this.#isDeaf) {
      void this.#exit(code);
      return;
    }
    this.#exitCode = code;
    this.#turn.abort(reason);
  }

  #print(line: object): void {
    if (this.#options.output === 'stream-json') process.stdout.write(`${JSON.stringify(line)}\n`);
  }

  async #write(chunk: string): Promise<void> {
    await new Promise<void>((resolve) => process.stdout.write(chunk, () => resolve()));
  }

  async #exit(code: number, stderr?: string): Promise<never> {
    if (this.#heard.length > 0) this.#remember(this.#session.total);
    if (stderr !== undefined) process.stderr.write(`${stderr}\n`);
    await this.#write('');
    process.exit(code);
  }
}

function isError(ending: Ending): boolean {
  return ending.kind === 'api-error' || (ending.kind === 'aborted' && ending.by === 'interrupt');
}

function messageText(value: Record<string, unknown>): string {
  const content = (value['message'] as { content?: unknown } | undefined)?.content;
  if (typeof content === 'string') return content;
  const blocks = Array.isArray(content) ? (content as { text?: string }[]) : [];
  return blocks.map((block) => block.text ?? '').join('\n');
}
