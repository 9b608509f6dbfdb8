// Folds where a run works: its lanes, files that are not work, and the machines that it is carried between.
import { defined } from '../defined.ts';
import type { FactOf } from '../event.ts';
import { Entry, type Fold, foldBy } from './changes.ts';
import type { PlaceState, RunState } from './state.ts';

export const noPlaces: PlaceState = {
  lanes: new Map(),
  rescuesOf: new Map(),
  leftOut: new Map(),
  kept: [],
};

export const foldPlaces: Fold<RunState, PlaceState> = foldBy<RunState, PlaceState>({
  'lane-opened': (_, fact) => ({ lanes: new Entry(fact.lane, fact) }),
  'lane-closed': ({ lanes, leftOut }, { lane }) => ({
    lanes: without(lanes, lane),
    leftOut: without(leftOut, lane),
  }),
  'landing-kept': ({ kept }, { files }) => ({ kept: [...new Set([...kept, ...files])] }),
  'rescue-saved': (_, { lane, oid }) => (lane === undefined ? {} : { rescuesOf: new Entry(lane, oid) }),
  'files-made': ({ leftOut }, fact) => ({
    leftOut: new Entry(fact.lane ?? 0, withMade(leftOut.get(fact.lane ?? 0) ?? [], fact)),
  }),
  'carry-begun': ({ carry }, { remote, job }) => {
    const { job: _, ...known } = carry ?? { takenFrom: [] };
    return { carry: { ...known, remote, ...defined({ job }) } };
  },
  'carry-done': ({ carry }, { oid, head, caughtUp }) => {
    if (!carry) return {};
    const { failed, ...known } = carry;
    // An uncarried branch stays one until everything is carried.
    const isOver = failed?.what === 'all' || caughtUp;
    return { carry: { ...known, oid, head, ...(isOver ? {} : defined({ failed })) } };
  },
  'carry-failed': ({ carry }, failed) => (carry ? { carry: { ...carry, failed } } : {}),
  'carry-fenced': ({ carry }, fenced) => (carry ? { carry: { ...carry, fenced } } : {}),
  'carry-taken-up': ({ carry }, { remote, oid, head, from, job }) => ({
    carry: {
      remote,
      oid,
      head,
      ...defined({ job }),
      takenFrom: [...(carry?.takenFrom ?? []), from.host],
    },
    lanes: new Map(),
    rescuesOf: new Map(),
  }),
  'carry-work-aside': (_, { rescue }) => ({ workAside: rescue }),
});

function without<V>(map: ReadonlyMap<number, V>, lane: number): ReadonlyMap<number, V> {
  return new Map([...map].filter(([number]) => number !== lane));
}

function withMade(files: readonly string[], { files: told, by }: FactOf<'files-made'>): readonly string[] {
  const others = files.filter((file) => !told.includes(file));
  return by === 'session' ? others : [...others, ...told];
}
