// The minder: a program of its own that waits until pawl closes its pipe or dies, then ends whatever the run left. It
// gets the run's id and the grace from its arguments, and reads, writes and knows nothing else.
import { endRun } from './sweep.ts';

const [run, graceMs] = process.argv.slice(2);

// It ends with its pipe alone: whoever ends pawl's whole group with a signal wants it most.
for (const signal of ['SIGINT', 'SIGHUP', 'SIGTERM', 'SIGQUIT'] as const) process.on(signal, () => {});

for (const event of ['end', 'error', 'close']) process.stdin.once(event, () => void finish());
process.stdin.resume();

let finishing = false;

async function finish(): Promise<void> {
  if (finishing) return;
  finishing = true;
  if (run) await endRun(run, { graceMs: Number(graceMs) });
  process.exit(0);
}
