// Keeps the machine awake while a run works, with a system program that exits when its pipe closes, so that it cannot
// outlive pawl. Does nothing without such a program.
import { findProgram } from './find-program.ts';
import { startBeside } from './spawn.ts';

/** The program and its arguments; `cat` exits when pawl's end of the pipe is closed. Undefined if the system has none. */
export function awakeCommand(
  platform: string,
  searchPath: string | undefined,
): readonly [string, ...string[]] | undefined {
  const [name, ...args] = commands[platform] ?? [];
  const file = name === undefined ? undefined : findProgram(name, searchPath);
  return file === undefined ? undefined : [file, ...args, 'cat'];
}

const commands: Readonly<Record<string, readonly [string, ...string[]]>> = {
  linux: ['systemd-inhibit', '--what=idle:sleep', '--who=pawl', '--why=a run is at work', '--mode=block'],
  darwin: ['caffeinate', '-i'],
};

/** Starts it; disposing lets the machine sleep again. If the system refuses, the run is not affected. */
export function keepAwake(
  command: readonly [string, ...string[]] | undefined,
  env: Readonly<Record<string, string>>,
): Disposable {
  const child = command && startBeside(command, env);
  return { [Symbol.dispose]: () => child?.stdin?.end() };
}
