// How a turn of the scripted agent ends: why, and the `result` line that says so. Shapes as recorded from Claude Code
// 2.1.330; it writes nothing and knows no steps.
import { randomUUID } from 'node:crypto';
import { type ApiError, errorFields } from './api-failure.ts';
import { costOf, noTokens, type Session, type Tokens } from './session.ts';
import { type Line, usageLine } from './stream.ts';

/** Why a turn ended. */
export type Ending =
  | Readonly<{ kind: 'completed'; text: string; structured?: unknown }>
  | Readonly<{ kind: 'api-error'; text: string; error: ApiError }>
  /** Stopped by the user (`now`: by a message that could not wait) while a tool ran or the model spoke. */
  | Readonly<{ kind: 'aborted'; during: 'tools' | 'streaming'; by: 'interrupt' | 'now' }>;

/** The line that ends a turn; counts the result and starts the count of tokens anew. */
export function resultLine(
  session: Session,
  ending: Ending,
  turn: { startedMs: number; turns: number },
): Line {
  const usage = modelUsage(session.model, session.total);
  const sinceResult = modelUsage(session.model, session.sinceResult);
  const line = {
    type: 'result',
    duration_api_ms: 0,
    session_id: session.id,
    total_cost_usd: costOf(session.total),
    usage: usageLine(session.mainSinceResult),
    modelUsage: usage,
    permission_denials: [],
    num_turns: turn.turns,
    ...endingFields(ending),
    duration_ms: Date.now() - turn.startedMs,
    uuid: randomUUID(),
    queued_turn_count: 0,
    result_index: session.results,
    model_usage_since_last_result: sinceResult,
  };
  session.results += 1;
  session.sinceResult = { ...noTokens };
  session.mainSinceResult = { ...noTokens };
  return line;
}

function endingFields(ending: Ending): Line {
  switch (ending.kind) {
    case 'completed': {
      const fields = { stop_reason: 'end_turn', terminal_reason: 'completed', is_error: false };
      const more = { subtype: 'success', api_error_status: null, result: ending.text };
      const structured = 'structured' in ending ? { structured_output: ending.structured } : {};
      return { ...fields, ...more, ...structured };
    }
    case 'api-error':
      return {
        stop_reason: 'stop_sequence',
        terminal_reason: 'api_error',
        is_error: true,
        subtype: 'success',
        ...errorFields(ending.error),
        result: ending.text,
      };
    case 'aborted': {
      const reason = `aborted_${ending.during}`;
      const fields = {
        stop_reason: ending.during === 'tools' ? 'tool_use' : null,
        terminal_reason: reason,
      };
      if (ending.by === 'now') {
        return { ...fields, is_error: false, subtype: 'success', api_error_status: null, result: '' };
      }
      return {
        ...fields,
        is_error: true,
        subtype: 'error_during_execution',
        errors: [`scripted: ${reason}`],
      };
    }
  }
}

function modelUsage(model: string, tokens: Readonly<Tokens>): Line {
  if (tokens.input + tokens.output + tokens.cacheRead + tokens.cacheWrite === 0) return {};
  return {
    [model]: {
      inputTokens: tokens.input,
      outputTokens: tokens.output,
      cacheReadInputTokens: tokens.cacheRead,
      cacheCreationInputTokens: tokens.cacheWrite,
      webSearchRequests: 0,
      costUSD: costOf(tokens),
      contextWindow: 1_000_000,
      maxOutputTokens: 128_000,
    },
  };
}
