import { describe, expect, it } from 'vitest';
import { SessionProcesses } from '../../../src/agent/session/session-processes.ts';
import type { Process, Sweep } from '../../../src/process/sweep.ts';

const process = (pid: number, ppid: number, startTime = '1'): Process => ({
  pid,
  ppid,
  startTime,
  command: `p${pid}`,
});

const cli: Process = { ...process(10, 1), isRoot: true };
const mcp = process(11, 10);
const mcpChild = process(12, 11);
const tool = process(20, 10, '2');
const toolChild = process(21, 20, '2');

/** A sweep over a list that the test changes; ending and stopping are written down. */
function makeSweep(alive: readonly Process[]) {
  const state = { alive: [...alive], ended: [] as number[], signals: [] as string[] };
  const sweep: Sweep = {
    find: async () => [...state.alive],
    signal: (processes, signal) => {
      for (const { pid } of processes) state.signals.push(`${signal} ${pid}`);
    },
    end: async (_, { except = [] } = {}) => {
      const ended = state.alive.filter(({ pid }) => !except.some((kept) => kept.pid === pid));
      state.alive = state.alive.filter((each) => !ended.includes(each));
      state.ended.push(...ended.map(({ pid }) => pid));
      return ended;
    },
  };
  return { sweep, state, processes: new SessionProcesses(sweep, 'PAWL_SESSION=r/1', cli.pid) };
}

describe('between turns', () => {
  it.each<[string, Process[], Process[], number[], number[]]>([
    ['nothing but the CLI', [cli], [cli], [], [10]],
    ['its MCP server and what that runs stay', [cli, mcp, mcpChild], [cli, mcp, mcpChild], [], [10, 11, 12]],
    ['what came later is ended', [cli, mcp], [cli, mcp, tool, toolChild], [20, 21], [10, 11]],
    ['what came later under an MCP server, too', [cli, mcp], [cli, mcp, mcpChild], [12], [10, 11]],
    [
      'a left process that was seen at the start',
      [cli, tool, toolChild],
      [cli, { ...toolChild, ppid: 1 }],
      [21],
      [10],
    ],
    ['a pid that was used again', [cli, mcp], [cli, { ...mcp, startTime: '9' }], [11], [10]],
  ])('%s', async (_, before, after, ended, held) => {
    const { state, processes } = makeSweep(before);
    processes.settle();
    await Promise.resolve();
    state.alive = [...after];
    expect((await processes.hold(true)).map(({ pid }) => pid)).toEqual(ended);
    expect(state.signals).toEqual(held.map((pid) => `SIGSTOP ${pid}`));
    processes.release();
    processes.release();
    expect(state.signals.slice(held.length)).toEqual(held.map((pid) => `SIGCONT ${pid}`));
  });

  it.each([true, false])(
    'what ends by itself in a moment was left by nobody; the agent lives: %s',
    async (isAlive) => {
      const { sweep, state, processes } = makeSweep([cli]);
      processes.settle();
      await Promise.resolve();
      state.alive = isAlive ? [cli, tool] : [tool];
      const { find } = sweep;
      let looks = 0;
      sweep.find = async (...args) => {
        looks += 1;
        if (looks === 3) state.alive = state.alive.filter(({ pid }) => pid !== tool.pid);
        return find(...args);
      };
      expect(await processes.hold(isAlive)).toEqual([]);
      expect(state.ended).toEqual([]);
    },
  );

  it('alone, an agent is looked at before it is stopped and after', async () => {
    const { sweep, state, processes } = makeSweep([cli]);
    const { find } = sweep;
    sweep.find = async (...args) => {
      state.signals.push('look');
      return find(...args);
    };
    sweep.end = async () => {
      throw new Error('nobody is to be ended');
    };
    await processes.hold(true);
    expect(state.signals).toEqual(['look', 'SIGSTOP 10', 'look']);
  });

  it('what is let go while strays are ended is not stopped again: it could not end', async () => {
    const { sweep, state, processes } = makeSweep([cli]);
    processes.settle();
    await Promise.resolve();
    state.alive = [cli, tool];
    const { end } = sweep;
    sweep.end = async (...args) => {
      processes.release();
      return end(...args);
    };
    expect((await processes.hold(true)).map(({ pid }) => pid)).toEqual([20]);
    expect(state.signals).toEqual([]);
  });

  it('an agent that never said it was up keeps itself only', async () => {
    const { state, processes } = makeSweep([cli, mcp]);
    await processes.hold(true);
    expect([state.ended, state.signals]).toEqual([[11], ['SIGSTOP 10']]);
  });

  it('a dead agent keeps nothing', async () => {
    const { state, processes } = makeSweep([mcp, tool]);
    processes.settle();
    await processes.hold(false);
    expect([state.ended, state.signals]).toEqual([[11, 20], []]);
  });

  it('what is started between the sweep and the stop is ended as well', async () => {
    const { state, sweep, processes } = makeSweep([cli]);
    processes.settle();
    const signal = sweep.signal;
    let isFirst = true;
    sweep.signal = (...args) => {
      signal(...args);
      if (isFirst) state.alive.push(tool);
      isFirst = false;
    };
    expect((await processes.hold(true)).map(({ pid }) => pid)).toEqual([20]);
  });
});
