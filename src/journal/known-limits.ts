// Usage limits that runs hit on this machine, by agent and account. A hint: an unreadable file is ignored.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { defined } from '../defined.ts';
import { digestText } from '../digest.ts';
import { makeFolder, removeFile } from '../disk.ts';
import { orElse } from '../or-else.ts';
import { writeFileAtomic } from '../write-file.ts';

/** Epoch milliseconds; `until`: the reset. */
type Met = Readonly<{ at: number; until?: number }>;

export type KnownLimits = Readonly<{
  /** Last hit by any run. */
  read(agent: string): Met | undefined;
  note(agent: string, met: Met | undefined): void;
}>;

const metSchema = z.object({ at: z.number(), until: z.number().optional() });

/** `state`: pawl's state folder; `billOf` tells who pays for an agent. */
export function openKnownLimits(state: string, billOf: (agent: string) => string): KnownLimits {
  const folder = path.join(state, 'limits');
  const fileOf = (agent: string) => {
    const bill = digestText(billOf(agent), 12);
    return path.join(folder, `${agent}-${bill}.json`);
  };
  const read = (agent: string): Met | undefined => {
    const text = orElse(() => readFileSync(fileOf(agent), 'utf8'), undefined);
    const met = text === undefined ? undefined : orElse(() => metSchema.parse(JSON.parse(text)), undefined);
    return met && { at: met.at, ...defined({ until: met.until }) };
  };
  return {
    read,
    note(agent, met) {
      if (met) {
        orElse(() => makeFolder(folder, 0o700), undefined);
        orElse(() => writeFileAtomic(fileOf(agent), JSON.stringify(met), 0o600), undefined);
      } else if (read(agent)) orElse(() => removeFile(fileOf(agent)), undefined);
    },
  };
}
