// Remembers this user's dashboard across restarts. Only this user can read the file.
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import type { Folders } from '../config/folders.ts';
import { makeFolder } from '../disk.ts';
import { describeSelf, isAlive, isHere } from '../journal/alive.ts';
import { identitySchema } from '../journal/holder.ts';
import { orElse } from '../or-else.ts';
import { writeFileUnsynced } from '../write-file.ts';
import type { Listening } from './address.ts';
import type { AccessTokens } from './guard-requests.ts';

const webSchema = identitySchema.extend({
  address: z.string(),
  port: z.number(),
  names: z.array(z.string()).readonly().default([]),
  act: z.string(),
  read: z.string(),
});

export type Remembered = Readonly<z.infer<typeof webSchema>>;

function webFile({ state }: Folders): string {
  return path.join(state, 'web.json');
}

/** Undefined also if unreadable. */
export function readRemembered(folders: Folders): Remembered | undefined {
  return orElse(() => webSchema.parse(JSON.parse(readFileSync(webFile(folders), 'utf8'))), undefined);
}

export function findServed(folders: Folders): Remembered | undefined {
  const known = readRemembered(folders);
  // Machines that share a home each have a dashboard.
  return known && isHere(known) && isAlive(known) ? known : undefined;
}

export function remember(
  folders: Folders,
  { tokens, ...listening }: Readonly<{ tokens: AccessTokens }> & Listening,
): void {
  makeFolder(folders.state, 0o700);
  const known: Remembered = { ...describeSelf(), ...listening, ...tokens };
  writeFileUnsynced(webFile(folders), `${JSON.stringify(known)}\n`, 0o600);
}

export function tokensOf(known: Remembered | undefined): AccessTokens {
  const make = (): string => randomBytes(32).toString('base64url');
  return { act: known?.act ?? make(), read: known?.read ?? make() };
}
