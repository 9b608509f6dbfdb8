// What a turn of the scripted agent is played with, and the ways a turn ends before its script does.
import { setTimeout as wait } from 'node:timers/promises';
import type { Ending } from './result.ts';
import type { Session } from './session.ts';
import * as stream from './stream.ts';

/** What a turn is played with. */
export type Stage = Readonly<{
  session: Session;
  /** Aborted with the reason `interrupt`, `now` or `terminate`. */
  signal: AbortSignal;
  nonce: string | undefined;
  /** Whether the session was asked for an answer by schema. */
  hasSchema: boolean;
  /** Whether pieces of a reply are shown as they come. */
  hasPieces: boolean;
  /** Retries of a failed request before the turn fails. */
  maxRetries: number;
  /** Longest run of one command. */
  commandTimeoutMs: number;
  print(line: object): void;
  write(text: string): Promise<void>;
  /** Takes up what the user said meanwhile; called between a tool's result and the next reply. */
  fold(): void;
  /** Hears no more control requests. */
  goDeaf(): void;
  ignore(signal: string): void;
  exit(code: number, stderr?: string): Promise<never>;
}>;

/** Thrown inside a turn to end it there. */
export class TurnEnd extends Error {
  readonly ending: Ending;

  constructor(ending: Ending) {
    super('the turn ended');
    this.ending = ending;
  }
}

/** Waits, for ever without `ms`; an abort of the turn ends it. */
export async function pause(stage: Stage, ms?: number): Promise<void> {
  // A timer for ever keeps the process alive, which a bare promise would not.
  const maxMs = 2 ** 31 - 1;
  await wait(ms ?? maxMs, undefined, { signal: stage.signal }).catch(() => {});
  if (stage.signal.aborted) endAborted(stage, 'streaming');
}

/** Ends an aborted turn, with the notice an interruption leaves in the conversation. */
export function endAborted(stage: Stage, during: 'tools' | 'streaming'): never {
  const by = stage.signal.reason === 'now' ? 'now' : 'interrupt';
  if (stage.signal.reason === 'interrupt') {
    const suffix = during === 'tools' ? ' for tool use' : '';
    stage.print(stream.userTextLine(stage.session, `[Request interrupted by user${suffix}]`));
  }
  throw new TurnEnd({ kind: 'aborted', during, by });
}
