// Lists and signals a container's processes until its input closes. It starts none: at a process limit it could not.
import process from 'node:process';
import { defined } from '../defined.ts';
import { signalProcesses } from '../process/end.ts';
import { findStartError } from '../process/find-program.ts';
import { createSweep, createWideSweep } from '../process/host-sweep.ts';
import { readTable } from '../process/process-table.ts';
import type { Process } from '../process/sweep.ts';
import type { SupervisorAnswer, SupervisorAsk, SupervisorRequest } from './process-supervisor.ts';

// The container's own: its init, its main process.
const own = readTable().map(({ pid }) => pid);
const narrow = createSweep();
const wide = createWideSweep(own);

async function answer(ask: SupervisorAsk): Promise<Omit<SupervisorAnswer, 'id'>> {
  switch (ask.op) {
    case 'find':
      return { processes: (await sweepFor(ask).find(ask.mark)).map(rooted) };
    case 'end': {
      const { mark, except, graceMs } = ask;
      const ended = await sweepFor(ask).end(mark, { except, ...defined({ graceMs }) });
      return { processes: ended.map(rooted) };
    }
    case 'signal':
      signalProcesses(ask.processes, ask.signal);
      return {};
    case 'try': {
      const error = findStartError(ask.file, ask.cwd, process.env['PATH']);
      return defined({
        error: error && { code: String('code' in error && error.code), message: error.message },
      });
    }
  }
}

function sweepFor({ alone }: Readonly<{ alone: boolean }>) {
  return alone ? wide : narrow;
}

/** What is started from outside has no parent here. */
function rooted(each: Process): Process {
  return each.ppid === 0 ? { ...each, isRoot: true } : each;
}

function say(line: SupervisorAnswer): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

async function take(line: string): Promise<void> {
  const { id, ask } = JSON.parse(line) as SupervisorRequest;
  say({ id, ...(await answer(ask)) });
}

// Signals to the whole container are not meant for it.
for (const signal of ['SIGINT', 'SIGHUP', 'SIGTERM', 'SIGQUIT'] as const) process.on(signal, () => {});
let rest = '';
process.stdin.setEncoding('utf8').on('data', (text: string) => {
  const lines = (rest + text).split('\n');
  rest = lines.pop() ?? '';
  for (const line of lines) void take(line);
});
for (const event of ['end', 'error', 'close'] as const) process.stdin.once(event, () => process.exit(0));
say({ id: 0 });
