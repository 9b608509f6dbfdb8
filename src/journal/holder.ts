// Which process a lock file names.
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { Failure } from '../failure.ts';
import { orElse } from '../or-else.ts';

/** A process, by more than its id. */
export const identitySchema = z.object({
  pid: z.number(),
  /** By the system's word, to detect a reused pid; empty if unreadable. */
  startTime: z.string(),
  /** Empty where the system has none: its start times are dates, which no reboot repeats. */
  bootId: z.string(),
  host: z.string(),
  /** Where the host name changes with the network. */
  machine: z.string().optional(),
});

export type Identity = Readonly<z.infer<typeof identitySchema>>;

const holderSchema = identitySchema.extend({
  since: z.string(),
  run: z.string(),
  /** By its name in the journal. */
  plan: z.string().optional(),
  tree: z.string().optional(),
  /** Socket for commands; absent if it accepts none. */
  socket: z.string().optional(),
});

export type Holder = z.infer<typeof holderSchema>;

/** Undefined if there is none. An unreadable one is somebody's: throws Failure('locked'), which names it. */
export function readLockText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    const { code = '' } = cause as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new Failure(
      'locked',
      `the lock of this tree cannot be read (${code}), so another user's pawl may work here`,
      {
        cause,
        hint: `See whose it is with \`ls -l ${file}\`; if no pawl is running there, remove ${file}.`,
      },
    );
  }
}

/** Undefined if it is not pawl's. */
export function parseHolder(text: string): Holder | undefined {
  return orElse(() => holderSchema.parse(JSON.parse(text)), undefined);
}
