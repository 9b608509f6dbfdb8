// Plays one turn of a script as Claude Code would show it: prints each block, really runs the commands, and says how
// the turn ended. It knows no stdin, no signals and no command line.

import { describeFailure, describeLimit, failureLine } from './api-failure.ts';
import { printFlood, printLongLine, printRaw } from './bulk.ts';
import { fillIn, splitReplies } from './choose-turn.ts';
import type { Ending } from './result.ts';
import type { Step } from './script.ts';
import { charge, firstUsage } from './session.ts';
import { endAborted, pause, type Stage, TurnEnd } from './stage.ts';
import * as stream from './stream.ts';
import { callTool } from './tool.ts';

/** Plays a turn; `turns` counts as the CLI does: one, and one for each tool result. */
export async function playTurn(
  stage: Stage,
  steps: readonly Step[],
): Promise<{ ending: Ending; turns: number }> {
  const count = { turns: 1 };
  try {
    const said = await playSteps(stage, steps, count);
    return { ending: { kind: 'completed', ...said }, turns: count.turns };
  } catch (error) {
    if (error instanceof TurnEnd) return { ending: error.ending, turns: count.turns };
    throw error;
  }
}

/** Plays steps reply by reply; what the last reply said is the result. */
async function playSteps(
  stage: Stage,
  steps: readonly Step[],
  count: { turns: number },
  parent?: stream.Parent,
): Promise<{ text: string; structured?: unknown }> {
  let text = '';
  for (const [at, blocks] of splitReplies(steps).entries()) {
    if (at > 0) stage.fold();
    text = '';
    await failFirst(stage, blocks);
    const reply = stream.newReply(parent);
    for (const step of blocks) if ('usage' in step) Object.assign(stage.session.usage, step.usage);
    if (blocks.length > 0) charge(stage.session, parent === undefined);
    for (const step of blocks) {
      if (stage.signal.aborted) endAborted(stage, 'streaming');
      if ('say' in step) {
        text = fillIn(step.say, stage.nonce);
        stage.print(stream.assistantLine(stage.session, reply, { type: 'text', text }));
      } else if ('answer' in step && !stage.hasSchema) {
        text = JSON.stringify(step.answer);
        stage.print(stream.assistantLine(stage.session, reply, { type: 'text', text }));
      } else if ('bash' in step || 'write' in step || 'subagent' in step || 'answer' in step) {
        await callTool(stage, step, {
          reply,
          parent,
          count,
          playPart: (part, of) => playPart(stage, part, count, of),
        });
        if ('answer' in step) return { text: JSON.stringify(step.answer), structured: step.answer };
      } else {
        await playOther(stage, step);
      }
    }
  }
  return { text };
}

/** Plays a sub-agent's part with a usage of its own; what it said last is its report. */
async function playPart(
  stage: Stage,
  part: readonly Step[],
  count: { turns: number },
  parent: stream.Parent,
): Promise<string> {
  const { session } = stage;
  const { usage } = session;
  session.usage = { ...firstUsage };
  try {
    return (await playSteps(stage, part, count, parent)).text;
  } finally {
    session.usage = usage;
  }
}

/** A failure speaks for its whole reply, so it comes before anything of the reply is said. */
async function failFirst(stage: Stage, reply: readonly Step[]): Promise<void> {
  for (const step of reply) {
    if ('api' in step) await fail(stage, step.api);
    if ('limit' in step) {
      const resetsAt = Math.floor(Date.now() / 1000) + step.limit.resetsInS;
      const { rateLimit, text, error } = describeLimit(resetsAt, step.limit.window ?? 'five_hour');
      const { id } = stage.session;
      stage.print({
        type: 'rate_limit_event',
        rate_limit_info: rateLimit,
        uuid: crypto.randomUUID(),
        session_id: id,
      });
      stage.print(failureLine(stage.session, text, error));
      throw new TurnEnd({ kind: 'api-error', text, error });
    }
  }
}

async function fail(stage: Stage, failure: Extract<Step, { api: unknown }>['api']): Promise<void> {
  const { text, error } = describeFailure(failure);
  const isRetried = failure.status === 401 || failure.status === 429 || failure.status >= 500;
  const retries = isRetried ? stage.maxRetries : 0;
  const times = failure.times ?? Number.POSITIVE_INFINITY;
  const delayMs = failure.retryDelayMs ?? 1;
  for (let attempt = 1; attempt <= Math.min(times, retries); attempt += 1) {
    const fields = { attempt, max_retries: retries, retry_delay_ms: delayMs, error_status: failure.status };
    const word = failure.status === 529 ? 'overloaded' : error.error;
    stage.print(stream.systemLine(stage.session, 'api_retry', { ...fields, error: word }));
    await pause(stage, delayMs);
  }
  if (times <= retries) return;
  stage.print(failureLine(stage.session, text, error));
  throw new TurnEnd({ kind: 'api-error', text, error });
}

async function playOther(stage: Stage, step: Step): Promise<void> {
  if ('think' in step) await pause(stage, step.think);
  else if ('ponder' in step) await ponder(stage, step.ponder);
  else if ('hang' in step) await pause(stage);
  else if ('silence' in step) {
    stage.goDeaf();
    await pause(stage);
  } else if ('exit' in step) await stage.exit(step.exit, step.stderr);
  else if ('kill' in step) {
    await stage.write('');
    process.kill(process.pid, step.kill as NodeJS.Signals);
    await pause(stage);
  } else if ('ignore' in step) for (const name of step.ignore) stage.ignore(name);
  else if ('stderr' in step) process.stderr.write(`${step.stderr}\n`);
  else if ('raw' in step) await printRaw(stage, step);
  else if ('flood' in step) await printFlood(stage, step.flood);
  else if ('line' in step) await printLongLine(stage, step.line.bytes);
  else if ('cut' in step) cut(stage, step.cut.times ?? Number.POSITIVE_INFINITY);
}

/** Thinks so many milliseconds, a piece at a time. */
async function ponder(stage: Stage, ms: number): Promise<void> {
  const everyMs = 200;
  for (let leftMs = ms; leftMs > 0; leftMs -= everyMs) {
    if (stage.hasPieces) stage.print(stream.pieceLine(stage.session));
    await pause(stage, Math.min(everyMs, leftMs));
  }
}

const cutNotice =
  'Your response above was cut off mid-stream. Resume directly from where it stops — no apology, no recap.';

function cut(stage: Stage, times: number): void {
  for (let at = 0; at < Math.min(times, 3); at += 1) {
    stage.print(stream.userTextLine(stage.session, cutNotice, { synthetic: true }));
  }
  if (times <= 3) return;
  const text = 'API Error: Connection lost mid-response. The response above may be incomplete.';
  const error = { error: 'server_error', code: 'connection_failed' };
  stage.print(failureLine(stage.session, text, error));
  throw new TurnEnd({ kind: 'api-error', text, error });
}
