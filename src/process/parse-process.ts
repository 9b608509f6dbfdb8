// Parses process information: Linux's /proc/<pid>/stat, and ps on macOS. Pure.

export type Stat = Readonly<{
  pid: number;
  ppid: number;
  session: number;
  startTime: string;
  comm: string;
  /** Running, or waiting for a disk. */
  isBusy: boolean;
}>;

const kernelThread = 0x0020_0000;

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
  const startTime = fields[19];
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
export const psFormat = 'pid=,ppid=,pgid=,stat=,lstart=,command=';

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
