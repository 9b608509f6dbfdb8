// What the minder becomes when pawl has closed its pipe without a word, or died: it ends whatever the run left. It gets
// the run's id and the grace from its arguments, and reads, writes and knows nothing else.
import { endRun } from './host-sweep.ts';

const [run, graceMs] = process.argv.slice(2);

// Whoever ends pawl's whole group with a signal wants it most.
for (const signal of ['SIGINT', 'SIGHUP', 'SIGTERM', 'SIGQUIT'] as const) process.on(signal, () => {});

if (run) await endRun(run, { graceMs: Number(graceMs) });
process.exit(0);
