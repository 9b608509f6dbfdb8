// Loaded into pawl with `node --import`: notes what no effect tells, each as a line of the file that effects are listed
// in: an fsync, a look at the table of processes, a program that Node itself starts.
import { ChildProcess } from 'node:child_process';
import fs, { appendFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

const { LIST_EFFECTS_TO: list } = process.env;

if (list !== undefined) {
  const note = (what: string): void => appendFileSync(list, `${what}\n`);
  const { fsyncSync, readdirSync } = fs;
  fs.fsyncSync = (fd) => {
    note('fsync');
    fsyncSync(fd);
  };
  let isLooking = false;
  const readdir: unknown = (...args: Parameters<typeof readdirSync>) => {
    // One look reads the names until none is new, without a pause.
    if (args[0] === '/proc' && !isLooking) {
      note('look');
      isLooking = true;
      queueMicrotask(() => {
        isLooking = false;
      });
    }
    return readdirSync(...args);
  };
  fs.readdirSync = readdir as typeof readdirSync;
  syncBuiltinESMExports();
  const started: { spawn: (options: unknown) => unknown } = ChildProcess.prototype as never;
  const { spawn } = started;
  started.spawn = function (this: ChildProcess, options) {
    note('start');
    return spawn.call(this, options);
  };
}
