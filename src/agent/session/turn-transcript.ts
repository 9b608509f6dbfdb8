// What one turn of a session said, in bounded memory, and whether it shows that no session can work here.
import type { AgentEvent } from '../../event/activity.ts';
import type { AgentCommand } from '../agent.ts';
import { oneLine } from '../json-value.ts';

export type TurnResult = Extract<AgentEvent, { type: 'result' }>;

export type Limit = Extract<AgentEvent, { type: 'limit' }>;

export type Retry = Extract<AgentEvent, { type: 'api-retry' }>;

const noiseLimit = 1_000_000;
const mostWritten = 1_000;

export class TurnTranscript {
  last: TurnResult | undefined;
  /** The last success with text; there may be empty ones. */
  answer: TurnResult | undefined;
  /** It outlasts a turn. */
  limit: Limit | undefined;
  background: readonly string[] = [];
  /** Undefined once the model has spoken. */
  retry: Retry | undefined;
  spoke = false;
  /** Before, output may be any program's. */
  isUp = false;
  used = false;
  /** The CLI's word for them, as it started. */
  permissions: string | undefined;
  readonly denied = new Set<string>();
  /** The API refuses it for good. */
  refusal: Retry | undefined;
  contextShare: number | undefined;
  /** Files tools were about to write, as the agent named them; bounded. */
  readonly written = new Set<string>();
  /** Plain text, which may be the answer: its last million characters. */
  noise = '';
  #said = '';
  #context: Extract<AgentEvent, { type: 'context' }> | undefined;

  /** What is the session's stays. */
  startTurn(): void {
    this.last = undefined;
    this.answer = undefined;
    this.retry = undefined;
    this.refusal = undefined;
    this.spoke = false;
    this.noise = '';
    this.#said = '';
  }

  take(event: AgentEvent): void {
    if ('writes' in event && this.written.size < mostWritten)
      for (const file of event.writes ?? []) this.written.add(file);
    if (event.type === 'result') this.#takeResult(event);
    else if (event.type === 'limit') this.limit = event;
    else if (event.type === 'background') this.background = event.open;
    else if (event.type === 'context') this.#context = event;
    else if (event.type === 'api-retry') this.#takeRetry(event);
    else if (event.type === 'tool-ended') this.used ||= !event.isError;
    else if (event.type === 'noise') this.#takeNoise(event.text);
    else if (event.type === 'denied') this.denied.add(event.tool);
    else if (event.type === 'started') this.#takeStart(event);
    else if (isOfModel(event)) this.#journalWord(event);
  }

  #takeStart({ permissions }: Extract<AgentEvent, { type: 'started' }>): void {
    this.isUp = true;
    this.permissions = permissions ?? this.permissions;
  }

  #takeRetry(retry: Retry): void {
    this.retry = retry;
    const isRefused = retry.status === 401 || retry.status === 402 || retry.status === 403;
    if (isRefused && retry.attempt >= refusalsBelieved) this.refusal ??= retry;
  }

  #journalWord(event: AgentEvent): void {
    this.spoke = true;
    this.retry = undefined;
    if (event.type === 'said' && event.main) this.#said = event.text;
  }

  #takeResult(heard: TurnResult): void {
    const result = heard.textIsLastSaid ? { ...heard, text: this.#said } : heard;
    this.last = result;
    for (const tool of result.denied ?? []) this.denied.add(tool);
    if (!result.isError && (result.text.trim() !== '' || result.structured !== undefined)) {
      this.answer = result;
    }
    this.contextShare = this.#shareOf(result) ?? this.contextShare;
  }

  #shareOf(result: TurnResult): number | undefined {
    const windows = result.contextWindows;
    if (this.#context === undefined || windows === undefined) return undefined;
    // The reply's model name may lack a suffix; the smallest window is the safe side.
    const window = windows[this.#context.model] ?? Math.min(...Object.values(windows));
    return this.#context.tokens / window;
  }

  #takeNoise(line: string): void {
    this.noise += this.noise === '' ? line : `\n${line}`;
    if (this.noise.length > noiseLimit * 2) this.noise = this.noise.slice(-noiseLimit);
  }
}

/** The model itself said or did something; what ends a tool or a turn may come without it. */
export function isOfModel(event: AgentEvent): boolean {
  return (
    (event.type === 'said' && !event.synthetic) || event.type === 'thought' || event.type === 'tool-started'
  );
}

/** Refusals in a row after which it will not get in; it may first have to renew its login. */
const refusalsBelieved = 3;

export function isAborted(result: TurnResult | undefined): boolean {
  return result?.reason?.startsWith('aborted_') === true;
}

type Said = Pick<TurnTranscript, 'permissions' | 'denied' | 'used' | 'spoke' | 'last'>;

/** It started otherwise than told; known before the model is asked. */
export function findOtherMode(
  { permissions: asked }: Pick<AgentCommand, 'permissions'>,
  { permissions: reported }: Pick<Said, 'permissions'>,
): CannotWork | undefined {
  if (asked === undefined || reported === undefined || reported === asked) return undefined;
  return {
    reason: `the CLI works in its permission mode ${reported}, not in ${asked} as it was told`,
    remedies: [
      'look in its settings, the project’s and the organization’s for what forbids that (permissions.disableBypassPermissionsMode)',
      'or have it work with less: --set agent.claude.permissions=acceptEdits, with what it needs in permissions.allow of .claude/settings.json',
    ],
  };
}

export function findCannotWork(
  command: Pick<AgentCommand, 'permissions'>,
  said: Said,
): CannotWork | undefined {
  const mode = findOtherMode(command, said);
  if (mode) return mode;
  const { last, spoke, denied, used } = said;
  if (last?.unasked && !last.isError && !spoke)
    return {
      reason: `the CLI ended the turn without asking the model: ${oneLine(last.text, 200) || 'it does not say why'}`,
      remedies: ['see which hook refuses prompts (UserPromptSubmit in its settings)'],
    };
  if (denied.size > 0 && !used)
    return {
      reason: `the CLI denied every tool that the agent wanted: ${[...denied].join(', ')}`,
      remedies: ['allow them in permissions.allow of .claude/settings.json, or see which hook denies them'],
    };
  return undefined;
}

type CannotWork = Readonly<{ reason: string; remedies: readonly string[] }>;
