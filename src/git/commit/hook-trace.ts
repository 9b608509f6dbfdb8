// Finds which hook stopped a commit from git's event trace (trace2, git 2.22 and later), because an exit code does not tell.

/** What a commit's trace tells: the hooks that ran, and the one that failed. */
export type CommitTrace = Readonly<{ hooks: readonly string[]; failedHook: string | undefined }>;

/** Reads the lines of GIT_TRACE2_EVENT; those of git commands that hooks ran themselves are not the commit's. */
export function parseTrace(text: string): CommitTrace {
  const started = new Map<number, string>();
  const hooks: string[] = [];
  let failedHook: string | undefined;
  for (const line of text.split('\n')) {
    const event = readEvent(line);
    if (!event || event.sid.includes('/')) continue;
    if (event.event === 'child_start' && event.hook_name !== undefined) {
      started.set(event.child_id ?? -1, event.hook_name);
      hooks.push(event.hook_name);
    }
    const hook = event.event === 'child_exit' ? started.get(event.child_id ?? -1) : undefined;
    if (hook !== undefined && event.code !== 0) failedHook ??= hook;
  }
  return { hooks, failedHook };
}

type TraceEvent = Readonly<{
  event: string;
  sid: string;
  child_id?: number;
  hook_name?: string;
  code?: number;
}>;

function readEvent(line: string): TraceEvent | undefined {
  if (!line.includes('"child_')) return undefined;
  try {
    const value: TraceEvent = JSON.parse(line);
    return typeof value.sid === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}
