// Lists and signals a container's processes, as pawl asks over a stream. It starts none: at a process limit it could not.
import type { Duplex } from 'node:stream';
import { defined } from '../defined.ts';
import { LineSplitter } from '../line-splitter.ts';
import { signalProcesses } from '../process/end.ts';
import { findStartError } from '../process/find-program.ts';
import { createWideSweep, sweep } from '../process/host-sweep.ts';
import { readTable } from '../process/process-table.ts';
import type { Process, Sweep } from '../process/sweep.ts';
import type { SupervisorAnswer, SupervisorAsk, SupervisorRequest } from './process-supervisor.ts';

/** To be called before the container has any program but its init and this one. */
export function supervise(stream: Duplex, searchPath: string | undefined): void {
  const inside = {
    narrow: sweep,
    wide: createWideSweep([...readTable()].map(({ pid }) => pid)),
    searchPath,
  };
  const say = (line: SupervisorAnswer) => stream.write(`${JSON.stringify(line)}\n`);
  const take = async (line: string) => {
    const { id, ask } = JSON.parse(line) as SupervisorRequest;
    say({ id, ...(await answer(ask, inside)) });
  };
  const lines = new LineSplitter((line) => void take(line));
  stream.on('data', (bytes: Buffer) => lines.push(bytes));
  // The wire's end is the program's.
  stream.on('error', () => {});
  say({ id: 0 });
}

type Inside = Readonly<
  Record<'narrow' | 'wide', Pick<Sweep, 'find' | 'end'>> & { searchPath: string | undefined }
>;

async function answer(
  ask: SupervisorAsk,
  { narrow, wide, searchPath }: Inside,
): Promise<Omit<SupervisorAnswer, 'id'>> {
  switch (ask.op) {
    case 'find':
      return { processes: (await (ask.alone ? wide : narrow).find(ask.mark)).map(rooted) };
    case 'end': {
      const { mark, alone, except, graceMs } = ask;
      const ended = await (alone ? wide : narrow).end(mark, { except, ...defined({ graceMs }) });
      return { processes: ended.map(rooted) };
    }
    case 'signal':
      signalProcesses(ask.processes, ask.signal);
      return {};
    case 'try': {
      const error = findStartError(ask.file, ask.cwd, searchPath);
      return defined({
        error: error && { code: String('code' in error && error.code), message: error.message },
      });
    }
  }
}

/** What is started from outside has no parent here. */
function rooted(each: Process): Process {
  return each.ppid === 0 ? { ...each, isRoot: true } : each;
}
