// Carries out what the page asks of a run: the same commands as a terminal's, counted as a person's act through the
// dashboard.

import { Writable } from 'node:stream';
import { z } from 'zod';
import { type ControlReply, commandSchema } from '../control/request.ts';
import { defined } from '../defined.ts';
import { needFailure } from '../failure.ts';
import type { CliContext } from '../start/context.ts';
import { findRunHolder } from '../start/find-run.ts';
import { sendCommand } from '../start/send-command.ts';
import type { WebCommand } from './command-line.ts';
import type { ListedRun } from './listed-runs.ts';

const undoSchema = z.object({
  do: z.literal('undo'),
  task: z.string(),
  how: z.enum(['with-later', 'revert']).exactOptional(),
});

/** Undoes a task as `pawl undo` does, in the context's folder; its output goes to the context's streams. */
export type Undo = (
  context: CliContext,
  wish: Readonly<{ task: string; plan: string; how: 'with-later' | 'revert' | undefined }>,
) => Promise<unknown>;

/** The command in a request's body; undefined if invalid. */
export function readWebCommand(body: unknown): WebCommand | undefined {
  const parsed = z.union([undoSchema, commandSchema]).safeParse(body);
  return parsed.success ? parsed.data : undefined;
}

/** Sends it to the run; if it does not apply, returns why in words. */
export async function act(
  context: CliContext,
  { place, found }: Pick<ListedRun, 'place' | 'found'>,
  { command, undo }: Readonly<{ command: WebCommand; undo: Undo }>,
): Promise<ControlReply> {
  try {
    if (command.do === 'undo') return await takeBack(context, { place, found }, { command, undo });
    const holder = findRunHolder(place, found.run);
    return await sendCommand(context, { place, run: found, holder }, { ...command, by: 'web' });
  } catch (error) {
    const failure = needFailure(error);
    return {
      ok: false,
      error: failure.message,
      ...defined({ hint: failure.hint }),
    };
  }
}

async function takeBack(
  context: CliContext,
  { place, found }: Pick<ListedRun, 'place' | 'found'>,
  { command, undo }: Readonly<{ command: Extract<WebCommand, { do: 'undo' }>; undo: Undo }>,
): Promise<ControlReply> {
  const said: string[] = [];
  const stdout = new Writable({
    write: (chunk, _, done) => {
      said.push(String(chunk));
      done();
    },
  });
  const quiet = {
    ...context,
    cwd: place.root,
    stdout,
    stderr: stdout,
    isTty: false,
    canAsk: false,
    colour: false,
  };
  const { task, how } = command;
  await undo(quiet, { task, how, plan: found.started.plan });
  return { ok: true, text: said.join('').trim() };
}
