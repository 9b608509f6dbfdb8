// A run as one HTML file that needs no server: the page itself with all parts, evidence, diffs and outputs in it.
import { createHash } from 'node:crypto';
import type { CliContext } from '../start/context.ts';
import { readDiff } from '../start/read-diff.ts';
import { readSession } from './activity.ts';
import type { Evidence } from './evidence-view.ts';
import { makeEvidence } from './model/task-view.ts';
import type { Assets } from './page-files.ts';
import { readCheckLog } from './read-log.ts';
import type { ActivityItem, Export } from './view.ts';
import type { WatchedRun } from './watched-run.ts';
import type { Watcher } from './watcher.ts';

export type ExportWith = Readonly<{ context: CliContext; watcher: Watcher; assets: Assets }>;

/** Total length of diffs and outputs, characters; what exceeds it is left out. */
const mostText = 4 * 1024 * 1024;

export async function exportRun(options: ExportWith, run: WatchedRun, id: string): Promise<string> {
  const { assets, context } = options;
  const data = await gather(options, run, id);
  const style = assets.style.replaceAll('</style', '<\\/style');
  const script = assets.script.replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--');
  const hash = createHash('sha256').update(script).digest('base64');
  const policy = `default-src 'none'; script-src 'sha256-${hash}'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="pawl ${context.version}">
<title>pawl</title>
<style>${style}</style>
</head>
<body>
<div id="app"></div>
<script type="application/json" id="pawl-export">${jsonInHtml(data)}</script>
<script type="module">${script}</script>
</body>
</html>
`;
}

/** JSON in which no text can end the element that contains it. */
export function jsonInHtml(value: unknown): string {
  return JSON.stringify(value)
    .replaceAll('<', '\\u003c')
    .replaceAll('\u2028', '\\u2028')
    .replaceAll('\u2029', '\\u2029');
}

async function gather({ context, watcher }: ExportWith, run: WatchedRun, id: string): Promise<Export> {
  const { facts, found } = run.reader;
  const { state } = facts;
  const evidence: Record<string, Evidence> = {};
  const diffs: Record<string, string> = {};
  const logs: Record<string, string> = {};
  let rest = mostText;
  for (const task of state ? [...state.tasks.keys(), ...state.fixes.keys()] : []) {
    const seen = state && makeEvidence(state, task, facts.all);
    if (!seen) continue;
    evidence[task] = seen;
    if (rest > 0 && state.tasks.get(task)?.closed) {
      const diff = await readDiff(context, { place: run.place, run: found, task, look: [] }).catch(() => '');
      diffs[task] = watcher.mask(diff.slice(0, rest));
      rest -= diff.length;
    }
    for (const check of seen.attempts.flatMap(({ checks }) => checks)) {
      if (rest <= 0 || check.result === 'green') continue;
      const text = readCheckLog(run, check.log)?.text.slice(-20_000) ?? '';
      logs[check.log] = watcher.mask(text);
      rest -= text.length;
    }
  }
  return {
    ...{ at: context.now().toISOString(), id, evidence, diffs, logs },
    parts: { ...pick(watcher.cards.values(), `card/${id}`), ...run.parts.values() },
    activity: lastActivity(run, watcher.mask),
  };
}

function pick(values: Readonly<Record<string, unknown>>, name: string): Readonly<Record<string, unknown>> {
  return { [name]: values[name] };
}

function lastActivity(run: WatchedRun, mask: (text: string) => string): readonly ActivityItem[] {
  const { reader } = run;
  const last = [...(reader.facts.state?.sessions.values() ?? [])].at(-1);
  return last
    ? readSession(reader.found, last.started, {
        ...{ mask, root: run.rootOf(last.started) },
        ...{ before: Number.POSITIVE_INFINITY, most: 300 },
      }).items
    : [];
}
