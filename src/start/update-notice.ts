// Says once a day, at a terminal, that a newer pawl is out. Nothing waits for the registry: an answer that comes too late
// is shown another day.

import { readFileSync } from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { makeFolder } from '../disk.ts';
import { orElse } from '../or-else.ts';
import { writeFileUnsynced } from '../write-file.ts';
import { type CliContext, printNote } from './context.ts';

/** What is remembered in the cache folder; instants in epoch milliseconds. */
const memorySchema = z.object({
  checkedAt: z.number().default(0),
  toldAt: z.number().default(0),
  latest: z.string().default(''),
});

type Memory = z.infer<typeof memorySchema>;

const dayMs = 86_400_000;
const answerMs = 10_000;

/** Called at the end of a command. */
export type UpdateNotice = Readonly<{ tell(): void }>;

const silent: UpdateNotice = { tell: () => {} };

/** Asks the registry, at most once a day, and returns at once. `isWanted`: the settings and options allow it. */
export function startUpdateNotice(context: CliContext, isWanted: boolean): UpdateNotice {
  if (!isWanted || !context.canAsk || context.env['NO_UPDATE_NOTIFIER'] || !isPublished(context))
    return silent;
  const nowMs = context.now().getTime();
  const memory = readMemory(context);
  if (nowMs - memory.checkedAt >= dayMs) {
    remember(context, { ...memory, checkedAt: nowMs });
    void askRegistry(context).then((latest) => {
      if (latest !== undefined) remember(context, { ...readMemory(context), latest });
    });
  }
  return { tell: () => tell(context, nowMs) };
}

/** A release names its repository; before the first one, the name at the registry is somebody else's. */
function isPublished({ packageRoot }: CliContext): boolean {
  return 'repository' in (JSON.parse(readFileSync(path.join(packageRoot, 'package.json'), 'utf8')) as object);
}

function tell(context: CliContext, nowMs: number): void {
  const memory = readMemory(context);
  if (nowMs - memory.toldAt < dayMs || !isNewer(memory.latest, context.version)) return;
  remember(context, { ...memory, toldAt: nowMs });
  printNote(
    context,
    `\npawl ${memory.latest} is available, this is ${context.version}: npm install --global pawl (NO_UPDATE_NOTIFIER=1 or the setting updateNotice turns this notice off)`,
  );
}

/** The version that npm would install; undefined if there is no answer. */
async function askRegistry({ env, signal }: CliContext): Promise<string | undefined> {
  const registry = env['npm_config_registry'] ?? 'https://registry.npmjs.org';
  try {
    const answer = await fetch(`${registry.replace(/\/+$/, '')}/-/package/pawl/dist-tags`, {
      signal: AbortSignal.any([signal, AbortSignal.timeout(answerMs)]),
    });
    const tags = z.object({ latest: z.string().max(50) }).safeParse(answer.ok ? await answer.json() : {});
    return tags.data?.latest;
  } catch {
    return undefined;
  }
}

/** For versions such as 1.2.3; a pre-release never counts as newer. */
function isNewer(latest: string, own: string): boolean {
  const [a, b] = [latest, own].map((version) => /^(\d+)\.(\d+)\.(\d+)$/.exec(version)?.slice(1).map(Number));
  if (!a || !b) return false;
  const at = a.findIndex((part, index) => part !== b[index]);
  return at >= 0 && (a[at] ?? 0) > (b[at] ?? 0);
}

function memoryFile({ folders }: CliContext): string {
  return path.join(folders.cache, 'update.json');
}

function readMemory(context: CliContext): Memory {
  return orElse(
    () => memorySchema.parse(JSON.parse(readFileSync(memoryFile(context), 'utf8'))),
    memorySchema.parse({}),
  );
}

/** A cache folder that cannot be written must not cost a run. */
function remember(context: CliContext, memory: Memory): void {
  try {
    makeFolder(context.folders.cache);
    writeFileUnsynced(memoryFile(context), JSON.stringify(memory));
  } catch {}
}
