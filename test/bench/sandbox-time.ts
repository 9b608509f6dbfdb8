// What a container costs: the same trivial tasks on this machine and inside, per session and per check.
import path from 'node:path';
import type { BuiltPawl } from '../helpers/built-pawl.ts';
import { has } from '../helpers/needs.ts';
import { emptyImage, hostPrograms, makeEmptyImage } from '../helpers/sandbox-image.ts';
import { makeLeanAgent } from './lean-agent.ts';
import { formatSpread, formatTable, type Size, spreadOf } from './measure.ts';
import { planOf } from './task-time.ts';
import { factsOf, makePlace, runTimed, type TimedRun } from './timed-run.ts';

const sizes = { whole: 10, smallest: 2 };

/** Runs the plan on the host and in containers; without an engine only a word of that. */
export async function measureSandbox(pawl: BuiltPawl, size: Size): Promise<string> {
  const tasks = sizes[size];
  if (!has('a container engine (docker)')) return 'The cost of a container: no docker engine answers here\n';
  makeEmptyImage();
  const rows: (readonly string[])[] = [];
  for (const kind of ['none', 'docker'] as const) {
    await using agent = await makeLeanAgent();
    const env = {
      PAWL_SANDBOX_KIND: kind,
      PAWL_SANDBOX_IMAGE: emptyImage,
      PAWL_SANDBOX_MOUNTS: hostPrograms(`${path.dirname(agent.command)}:rw`),
    };
    await using place = await makePlace({ plan: planOf(tasks), agent: agent.command, files: 500, env });
    rows.push(...rowsOf(kind, await runTimed(pawl.command, place)));
  }
  return formatTable(`Host and container, ${tasks} tasks, ms`, rows);
}

function rowsOf(kind: string, run: TimedRun): readonly (readonly string[])[] {
  const checks = factsOf(run, 'check-ended').map(({ durationMs }) => durationMs);
  const sessions = factsOf(run, 'session-ended').map(({ durationMs }) => durationMs);
  const closes = factsOf(run, 'task-closed').map(({ at }) => Date.parse(at));
  const laps = closes.slice(1).map((at, index) => at - (closes[index] ?? at));
  return [
    [`${kind}: a check`, formatSpread(spreadOf(checks)), '`true`, from start to swept'],
    [
      `${kind}: a session`,
      formatSpread(spreadOf(sessions)),
      'from its start, a new container’s with it, to its end',
    ],
    [`${kind}: a task`, formatSpread(spreadOf(laps)), 'from close to close'],
  ];
}
