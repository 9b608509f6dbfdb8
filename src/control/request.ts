// The messages between a terminal and a running pawl: one JSON line each way.
import { z } from 'zod';
import { parseJson } from '../parse-json.ts';

/** Any other is refused, never guessed at. */
export const controlVersion = 1;

export const wishSchema = z.discriminatedUnion('do', [
  /** `now`: interrupts the running session, whose attempt does not count. */
  z.object({ do: z.literal('pause'), now: z.boolean() }),
  /** Ends a pause; a run that waits for a limit or an overload tries again at once. */
  z.object({ do: z.literal('continue') }),
  z.object({ do: z.literal('stop') }),
  /** `task` absent: for the next session. `now`: into the running one. */
  z.object({ do: z.literal('steer'), text: z.string(), task: z.string().optional(), now: z.boolean() }),
  /** `task` absent: the one in work. */
  z.object({ do: z.literal('skip'), task: z.string().optional() }),
  /** `task` absent: the only one that failed, waits or was skipped. */
  z.object({ do: z.literal('retry'), task: z.string().optional() }),
  z.object({ do: z.literal('answer'), task: z.string(), answer: z.string() }),
  /** US dollars, whole run. */
  z.object({ do: z.literal('set-budget'), maxCostUsd: z.number() }),
]);

/** `by`, if not at a terminal: `web`, or who on which machine of the fleet. */
export const commandSchema = z.intersection(
  wishSchema,
  z.object({ by: z.string().max(200).exactOptional() }),
);

export type Wish = z.infer<typeof wishSchema>;

export type ControlCommand = Wish & Readonly<{ by?: string }>;

const requestSchema = z.object({ v: z.number(), run: z.string(), command: z.unknown() });

const replySchema = z.discriminatedUnion('ok', [
  /** Journaled, on disk; `text`: what follows. */
  z.object({ ok: z.literal(true), text: z.string() }),
  /** Nothing was done. */
  z.object({ ok: z.literal(false), error: z.string(), hint: z.string().optional() }),
]);

export type ControlReply = z.infer<typeof replySchema>;

export type Refusal = Extract<ControlReply, { ok: false }>;

export function writeRequest(run: string, command: ControlCommand): string {
  return `${JSON.stringify({ v: controlVersion, run, command })}\n`;
}

/** A refusal if of another version, for another run, or invalid. */
export function readRequest(line: string, run: string): ControlCommand | Refusal {
  const request = requestSchema.safeParse(parseJson(line));
  if (!request.success) return { ok: false, error: 'the request is not one of pawl’s' };
  const { v, run: wanted, command } = request.data;
  if (v !== controlVersion) {
    const error = `this pawl understands version ${controlVersion} of its commands, not ${v}`;
    return { ok: false, error, hint: 'Use the same version of pawl in both terminals.' };
  }
  if (wanted !== run) return { ok: false, error: `this pawl works on run ${run}, not on ${wanted}` };
  const known = commandSchema.safeParse(command);
  return known.success ? known.data : { ok: false, error: 'this pawl does not know that command' };
}

/** Undefined if invalid. */
export function readReply(line: string): ControlReply | undefined {
  const reply = replySchema.safeParse(parseJson(line));
  return reply.success ? reply.data : undefined;
}
