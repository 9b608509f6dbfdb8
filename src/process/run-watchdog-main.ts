// The program the watchdog becomes when pawl dies or closes its pipe without a word: it ends whatever the run left, and
// records HEAD, so that later moves are known to be a person's.
import { execFileSync } from 'node:child_process';
import { createFile } from '../write-file.ts';
import { endRun } from './host-sweep.ts';

const [run, graceMs, gitDir, note] = process.argv.slice(2);

// A signal to pawl's whole group is when it is needed most.
for (const signal of ['SIGINT', 'SIGHUP', 'SIGTERM', 'SIGQUIT'] as const) process.on(signal, () => {});

if (run) await endRun(run, { graceMs: Number(graceMs) });
if (gitDir && note) noteHead(gitDir, note);
process.exit(0);

function noteHead(folder: string, file: string): void {
  const args = [`--git-dir=${folder}`, 'rev-parse', '-q', '--verify', 'HEAD^{commit}'];
  try {
    const head = execFileSync('git', args, { stdio: ['ignore', 'pipe', 'ignore'], timeout: 10_000 });
    // The first look after a session counts: later ones may see what a person did.
    createFile(file, head);
  } catch {
    // Without the note it is uncertain who moved HEAD, and a person is asked.
  }
}
