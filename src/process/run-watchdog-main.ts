// What the watchdog becomes when pawl dies or closes its pipe without a word: it ends whatever the run left.
import { endRun } from './host-sweep.ts';

const [run, graceMs] = process.argv.slice(2);

// A signal to pawl's whole group must not end it.
for (const signal of ['SIGINT', 'SIGHUP', 'SIGTERM', 'SIGQUIT'] as const) process.on(signal, () => {});

if (run) await endRun(run, { graceMs: Number(graceMs) });
process.exit(0);
