// Which process a lock file names.

import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { orElse } from '../or-else.ts';

const holderSchema = z.object({
  pid: z.number(),
  /** Start of the process in ticks since boot, to detect a reused pid. Empty where the system does not report it. */
  startTime: z.string(),
  bootId: z.string(),
  host: z.string(),
  since: z.string(),
  run: z.string(),
  /** Its plan, by the name used in the journal. */
  plan: z.string().optional(),
  /** The working tree it holds. */
  tree: z.string().optional(),
  /** Path of the socket on which it accepts commands; absent if it accepts none. */
  socket: z.string().optional(),
  /** It is only waiting for this instant (ISO 8601, UTC) to start these plans; nothing has begun. Absent: it is working. */
  start: z.object({ at: z.string(), plans: z.array(z.string()) }).optional(),
});

/** Who holds a working tree. */
export type Holder = z.infer<typeof holderSchema>;

/** Whom a lock file names; undefined if it does not exist or is not pawl's. */
export function readHolder(file: string): Holder | undefined {
  return orElse(() => holderSchema.parse(JSON.parse(readFileSync(file, 'utf8'))), undefined);
}
