// The system's processes at one instant: from /proc on Linux, from ps elsewhere. Those that vanish or may not be read
// are left out.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { Failure } from '../failure.ts';
import { orElse } from '../or-else.ts';

/**
 * Each as soon as it is read. `youngAs`: those started before this process are left out, on Linux. Some 30 µs of CPU per
 * process on Linux, 3 for one that was left out before; 20 ms in total with ps.
 */
export function readTable({ youngAs }: TableOptions = {}): Iterable<ProcessRow> {
  if (process.platform !== 'linux') return readPs();
  return readProc(youngAs === undefined ? 0 : Number(readStartTime(youngAs)));
}

export type TableOptions = Readonly<{ youngAs?: number | undefined }>;

export function readStartTime(pid: number): string | undefined {
  return (process.platform === 'linux' ? statOf(String(pid)) : readPs(pid)[0])?.startTime;
}

/** By proc(5): T is stopped; undefined if there is no process, or the system does not say. */
export function readState(pid: number): string | undefined {
  if (process.platform !== 'linux') return undefined;
  return statFields(readProcFile(statFile(String(pid))).toString('latin1'))[0] || undefined;
}

function* readProc(since: number): Generator<ProcessRow> {
  const seen = new Set<string>();
  // A child born meanwhile may be all that is left of its parent: read on until nothing is new.
  for (let pass = 0; pass < 4; pass += 1) {
    // Newest first, to be faster than what keeps re-spawning under new pids.
    const names = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && !seen.has(name));
    if (names.length === 0) break;
    for (const name of names.reverse()) {
      seen.add(name);
      const row = readRow(name, since);
      if (row) yield row;
    }
  }
}

function statFile(pid: string): string {
  return `/proc/${pid}/stat`;
}

function statOf(pid: string): Stat | undefined {
  return parseStat(readProcFile(statFile(pid)).toString('latin1'));
}

/**
 * Of pids that were left out, the inodes of their folders: a process that comes by such a pid has another. Only of older
 * ones: a younger one that shows nothing now may show itself later, as one whose first thread has ended until another
 * of its threads calls exec. pawl looks some twenty times a task, and a machine has hundreds of processes.
 */
const leftOut = new Map<string, number>();

function readRow(name: string, since: number): ProcessRow | undefined {
  // Before its times are read: if another takes the pid in between, the times are those of the other.
  const inode = since > 0 ? orElse(() => statSync(`/proc/${name}`).ino, undefined) : undefined;
  if (inode !== undefined && leftOut.get(name) === inode) return undefined;
  const text = readProcFile(statFile(name)).toString('latin1');
  if (inode !== undefined && Number(statFields(text)[startTimeAt]) < since) {
    leftOut.set(name, inode);
    return undefined;
  }
  const stat = parseStat(text);
  if (stat === undefined) return undefined;
  const { comm, isBusy, ...known } = stat;
  const command = () =>
    readProcFile(`/proc/${name}/cmdline`).toString().split('\0').join(' ').trim() || `[${comm}]`;
  // Now: a moment later it may be gone, and the evidence of whose it was.
  let environment = readProcFile(`/proc/${name}/environ`);
  return {
    ...known,
    hasEntry: (text, whole) => {
      // The kernel refuses other users' environments at open. An empty one may be in its exec: read again.
      if (environment.length === 0) environment = readProcFile(`/proc/${name}/environ`);
      return hasEntry(environment, text, whole);
    },
    isStarting: () => isBusy && isInExec(name),
    command,
  };
}

/** One that has ended shows nothing either, and is not waited for. */
function isInExec(name: string): boolean {
  const shows = (file: string): boolean => readProcFile(`/proc/${name}/${file}`).length > 0;
  if (shows('environ') || shows('cmdline')) return false;
  return statOf(name) !== undefined;
}

function hasEntry(environment: Buffer, text: string, whole: boolean): boolean {
  const entry = Buffer.from(whole ? `${text}\0` : text);
  for (let at = environment.indexOf(entry); at >= 0; at = environment.indexOf(entry, at + 1)) {
    if (at === 0 || environment[at - 1] === 0) return true;
  }
  return false;
}

function readPs(pid?: number): readonly ProcessRow[] {
  const which = pid === undefined ? ['-ax'] : ['-p', String(pid)];
  try {
    const text = execFileSync('ps', [...which, '-Eww', '-o', psFormat], {
      encoding: 'utf8',
      env: { PATH: process.env['PATH'] ?? '/bin:/usr/bin', LC_ALL: 'C', TZ: 'UTC' },
      maxBuffer: 64 * 1024 * 1024,
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: 10_000,
    });
    return parsePs(text);
  } catch (cause) {
    // ps exits with 1 if the process is gone.
    if (pid !== undefined) return [];
    throw new Failure('environment', 'the list of processes cannot be read with ps', { cause });
  }
}

/**
 * Empty if its process is gone or another user's. Without file descriptors throws a Failure: what pawl cannot see it
 * would not end.
 */
export function readProcFile(file: string): Buffer {
  try {
    return readFileSync(file);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code !== 'EMFILE' && code !== 'ENFILE') return Buffer.alloc(0);
    throw new Failure('environment', 'the list of processes cannot be read: too many files are open', {
      hint: 'Raise the limit on open files (`ulimit -n 1024`), and run the same command again.',
      cause,
    });
  }
}

/** `isBusy`: running, or waiting for a disk. */
type Stat = Pick<ProcessRow, 'pid' | 'ppid' | 'session' | 'startTime'> &
  Readonly<{ comm: string; isBusy: boolean }>;

const kernelThread = 0x0020_0000;

/** Among the fields from the state on. */
const startTimeAt = 19;

/** From the state on: after the name, which may contain blanks and parentheses. */
export function statFields(text: string): readonly string[] {
  return text.slice(text.lastIndexOf(')') + 2).split(' ');
}

/** /proc/<pid>/stat (proc(5)); undefined for a zombie, dead process, kernel thread, and other text. */
export function parseStat(text: string): Stat | undefined {
  const open = text.indexOf('(');
  const close = text.lastIndexOf(')');
  if (open < 0 || close < open) return undefined;
  const fields = statFields(text);
  const [state = '', ppid, , session] = fields;
  const startTime = fields[startTimeAt];
  if (startTime === undefined || 'ZXx'.includes(state)) return undefined;
  if ((Number(fields[6]) & kernelThread) !== 0) return undefined;
  return {
    pid: Number(text.slice(0, open)),
    ppid: Number(ppid),
    session: Number(session),
    startTime,
    comm: text.slice(open + 1, close),
    isBusy: 'RD'.includes(state),
  };
}

/** No headings; `command` is last: it and the environment contain blanks. */
const psFormat = 'pid=,ppid=,pgid=,stat=,lstart=,command=';

const psLine = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\w{3} +\w{3} +\d+ +[\d:]{8} +\d{4}) (.*)$/;

/** `ps -axEww -o <psFormat>` of macOS; `-E`: the environment after the command. By its manual, never run on a Mac. */
export function parsePs(text: string): readonly ProcessRow[] {
  return text.split('\n').flatMap((line): ProcessRow[] => {
    const [, pid, ppid, session, state = '', startTime = '', rest = ''] = psLine.exec(line) ?? [];
    if (pid === undefined || state.startsWith('Z')) return [];
    return [
      {
        pid: Number(pid),
        ppid: Number(ppid),
        session: Number(session),
        startTime: startTime.replace(/ +/g, ' '),
        // Entries have no borders: a blank inside one may match falsely; a hidden environment matches nothing.
        isStarting: () => false,
        hasEntry: (entry, whole) => ` ${rest} `.includes(whole ? ` ${entry} ` : ` ${entry}`),
        command: () => rest.replace(/ [A-Za-z_]\w*=.*$/, '').trim(),
      },
    ];
  });
}

export type ProcessRow = Readonly<{
  pid: number;
  ppid: number;
  /** Id of its process group; on Linux, of its session (the leader's pid). */
  session: number;
  /** Linux: clock ticks since boot; elsewhere: the wall clock's second. The same after an exec. */
  startTime: string;
  /** Whether the text is a whole entry of its environment at exec, or else the beginning of one. */
  hasEntry(text: string, whole: boolean): boolean;
  /** In its exec, when it shows no environment and no command line. */
  isStarting(): boolean;
  /** The command line; the name if it has none. */
  command(): string;
}>;
