// Lists and signals a container's processes until its input closes. It starts none: at a process limit it could not.
import process from 'node:process';
import { defined } from '../defined.ts';
import { signalProcesses } from '../process/end.ts';
import { findStartError } from '../process/find-program.ts';
import { createSweep, createWideSweep, findCarriers } from '../process/host-sweep.ts';
import { readTable } from '../process/process-table.ts';
import type { Mark } from '../process/sweep.ts';
import type { SupervisorAnswer, SupervisorAsk, SupervisorRequest } from './process-supervisor.ts';

// The container's own: its init, its main process.
const own = readTable().map(({ pid }) => pid);
const narrow = createSweep();
const wide = createWideSweep(own);

async function answer(ask: SupervisorAsk): Promise<Omit<SupervisorAnswer, 'id'>> {
  switch (ask.op) {
    case 'find': {
      const processes = await (ask.alone ? wide : narrow).find(ask.mark);
      return { processes, ...rootOf(ask.mark) };
    }
    case 'end': {
      const root = rootOf(ask.mark);
      const { except, graceMs } = ask;
      const options = { except, ...defined({ graceMs }) };
      return { processes: await (ask.alone ? wide : narrow).end(ask.mark, options), ...root };
    }
    case 'signal':
      signalProcesses(ask.processes, ask.signal);
      return {};
    case 'signal-group':
      return { found: signalGroup(rootOf(ask.mark).root, ask.signal) };
    case 'try': {
      const error = findStartError(ask.file, ask.cwd, process.env['PATH']);
      return defined({
        error: error && { code: String('code' in error && error.code), message: error.message },
      });
    }
  }
}

function rootOf(mark: Mark): { root?: number } {
  const found = findCarriers(mark).find(({ ppid }) => ppid === 0);
  return defined({ root: found?.pid });
}

function signalGroup(leader: number | undefined, signal: NodeJS.Signals): boolean {
  if (leader === undefined) return false;
  try {
    process.kill(-leader, signal);
    return true;
  } catch {
    return false;
  }
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
